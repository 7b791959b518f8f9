// Generates an image with the generated client in Go.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"

	"service"
)

func main() {
	configuration := service.NewConfiguration()
	if origin := os.Getenv("ORIGIN"); origin != "" {
		configuration.Servers = service.ServerConfigurations{{URL: origin}}
	}
	key := os.Getenv("TASKSIM_API_KEY")
	if key == "" {
		key = "sk_live_local"
	}
	ctx := context.WithValue(context.Background(), service.ContextAccessToken, key)
	tasks := service.NewAPIClient(configuration).TasksApi

	order := service.NewInlineObject("acme/image-1", map[string]interface{}{"prompt": "a lighthouse at night"})
	task, _, err := tasks.TasksCreate(ctx).InlineObject(*order).Execute()
	for err == nil && (task.Status == "queued" || task.Status == "processing") {
		time.Sleep(time.Second)
		task, _, err = tasks.TasksRetrieve(ctx, task.Id).Execute()
	}
	if err != nil {
		log.Fatal(err)
	}
	file, err := http.Get(task.Output.Images[0])
	if err != nil {
		log.Fatal(err)
	}
	defer file.Body.Close()
	content, err := io.ReadAll(file.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("Go:", task.Status, len(content) > 0)
}
