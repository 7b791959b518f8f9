// Package generate is a client of the service: it creates a task, waits until it ends, and downloads its output.
package generate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

const (
	pollInterval = 3 * time.Second
	taskTimeout  = 10 * time.Minute
	maxAttempts  = 6
)

// Client calls the service.
type Client struct {
	BaseURL string
	Key     string
	// Sleep is time.Sleep, unless a test replaces it.
	Sleep func(time.Duration)
	// HTTP needs a timeout.
	HTTP *http.Client
}

// NewClient returns a client with a timeout of 30 seconds for each request.
func NewClient(baseURL, key string) *Client {
	return &Client{BaseURL: baseURL, Key: key, Sleep: time.Sleep, HTTP: &http.Client{Timeout: 30 * time.Second}}
}

// Task is a task of the service.
type Task struct {
	ID     string `json:"id"`
	Status string `json:"status"`
	Output struct {
		Video string `json:"video"`
	} `json:"output"`
	Error struct {
		Message string `json:"message"`
	} `json:"error"`
}

// StatusError is a response with a status other than 2xx.
type StatusError struct {
	Status     int
	RetryAfter time.Duration
	Body       string
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("the service answered %d: %s", e.Status, e.Body)
}

// Video generates a video and returns its bytes.
func (c *Client) Video(prompt string) ([]byte, error) {
	order := map[string]any{"model": "acme/video-1", "input": map[string]any{"prompt": prompt, "duration": 5}}
	var task Task
	// A create request without an answer may have created a task. Repeating it could cost twice.
	if err := c.retry(isRejected, func() error { return c.call(http.MethodPost, "/tasks", order, &task) }); err != nil {
		return nil, err
	}
	if err := c.wait(&task); err != nil {
		return nil, err
	}
	return c.download(task.Output.Video)
}

func (c *Client) wait(task *Task) error {
	path := "/tasks/" + task.ID
	for waited := time.Duration(0); waited < taskTimeout; waited += pollInterval {
		c.Sleep(pollInterval)
		err := c.retry(isTemporary, func() error { return c.call(http.MethodGet, path, nil, task) })
		if err != nil {
			return err
		}
		switch task.Status {
		case "succeeded":
			return nil
		case "failed", "canceled":
			return fmt.Errorf("the task %s is %s: %s", task.ID, task.Status, task.Error.Message)
		}
	}
	if err := c.call(http.MethodPost, path+"/cancel", nil, task); err != nil {
		return err
	}
	return fmt.Errorf("the task %s did not end within %s and was canceled", task.ID, taskTimeout)
}

// download sends no API key, because the file host is not the API.
func (c *Client) download(url string) (file []byte, err error) {
	err = c.retry(isTemporary, func() error {
		response, err := c.HTTP.Get(url)
		if err != nil {
			return err
		}
		file, err = read(response)
		return err
	})
	return file, err
}

func (c *Client) call(method, path string, body, into any) error {
	var content io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return err
		}
		content = bytes.NewReader(data)
	}
	request, err := http.NewRequest(method, c.BaseURL+path, content)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+c.Key)
	request.Header.Set("Content-Type", "application/json")
	response, err := c.HTTP.Do(request)
	if err != nil {
		return err
	}
	answer, err := read(response)
	if err != nil {
		return err
	}
	return json.Unmarshal(answer, into)
}

func read(response *http.Response) ([]byte, error) {
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= 300 {
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
		return nil, &StatusError{response.StatusCode, time.Duration(seconds) * time.Second, string(body)}
	}
	return body, nil
}

// isRejected reports whether the service has certainly not carried out the request, and accepts it later.
func isRejected(err error) bool {
	var status *StatusError
	return errors.As(err, &status) && status.Status == http.StatusTooManyRequests
}

func isTemporary(err error) bool {
	var status *StatusError
	return !errors.As(err, &status) || status.Status >= 500 || isRejected(err)
}

// retry waits as long as Retry-After says, or else 1, 2, 4 ... seconds.
func (c *Client) retry(isRetryable func(error) bool, attempt func() error) error {
	for attempts := 1; ; attempts++ {
		err := attempt()
		if err == nil || attempts == maxAttempts || !isRetryable(err) {
			return err
		}
		delay := time.Second << (attempts - 1)
		var status *StatusError
		if errors.As(err, &status) && status.RetryAfter > delay {
			delay = status.RetryAfter
		}
		c.Sleep(delay)
	}
}
