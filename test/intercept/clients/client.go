// Creates, polls and downloads with the client of Go, as an app does that knows nothing of tasksim.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

type prediction struct {
	Status string
	Urls   struct{ Get string }
	Output []string
}

func send(method, url, body string) ([]byte, error) {
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("REPLICATE_API_TOKEN"))
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	return io.ReadAll(response.Body)
}

func outcome() string {
	body := `{"version": "acme/image-1", "input": {"prompt": "a fox"}}`
	answer, err := send("POST", "https://api.replicate.com/v1/predictions", body)
	for err == nil {
		var made prediction
		if err = json.Unmarshal(answer, &made); err != nil {
			break
		}
		if made.Status == "succeeded" {
			if answer, err = send("GET", made.Output[0], ""); err == nil && string(answer[1:4]) == "PNG" {
				return "ok"
			}
			break
		}
		answer, err = send("GET", made.Urls.Get, "")
	}
	return fmt.Sprint(err)
}

func main() {
	line, _ := json.Marshal([]string{"net/http", outcome()})
	fmt.Println(string(line))
}
