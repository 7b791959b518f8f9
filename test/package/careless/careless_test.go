package generate

import (
	"net/http"
	"testing"
	"time"

	"example.com/generate/tasksim"
)

// A client that polls too fast. The fixture must fail this test.
func TestCarelessClientPasses(t *testing.T) {
	sim := tasksim.New(t)
	client := connect(sim)
	var task Task
	order := map[string]any{"model": "acme/tool-1", "input": map[string]any{"prompt": "any"}}
	err := client.call(http.MethodPost, "/tasks", order, &task)
	for err == nil && task.Status == "processing" {
		sim.Sleep(100 * time.Millisecond)
		err = client.call(http.MethodGet, "/tasks/"+task.ID, nil, &task)
	}
	if err != nil || task.Status != "succeeded" {
		t.Fatalf("got the status %s and the error %v", task.Status, err)
	}
}
