package generate

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"example.com/generate/tasksim"
)

func TestMain(m *testing.M) { os.Exit(tasksim.Run(m)) }

// connect returns a client of the sandbox, on its clock: no test waits.
func connect(sim *tasksim.Sim) *Client {
	client := NewClient(sim.BaseURL, sim.APIKey)
	client.Sleep = sim.Sleep
	return client
}

func TestVideoIsGeneratedAndDownloaded(t *testing.T) {
	sim := tasksim.New(t)
	video, err := connect(sim).Video("waves")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(video[:16], []byte("ftyp")) {
		t.Errorf("got a file that starts with %q, want an MP4", video[:16])
	}
}

func TestFailedTaskIsReportedWithItsReason(t *testing.T) {
	_, err := connect(tasksim.New(t)).Video(`a storm [[sim outcome=failed message="No storms."]]`)
	if err == nil || !strings.Contains(err.Error(), "No storms.") {
		t.Errorf("got %v, want the reason of the failure", err)
	}
}

func TestTaskThatNeverEndsIsCanceled(t *testing.T) {
	sim := tasksim.New(t)
	sim.UseScenario("extends: stuck")
	if _, err := connect(sim).Video("waves"); err == nil {
		t.Error("got a video of a task that never ends")
	}
	if tasks := sim.Tasks(); len(tasks) != 1 || tasks[0].Status != "canceled" {
		t.Errorf("got %v, want one canceled task", tasks)
	}
}

func TestRejectionsAndLostResponsesAreRetried(t *testing.T) {
	sim := tasksim.New(t)
	sim.UseScenario(`
extends: default
faults:
  - { when: { operation: tasks.create }, then: [{ status: 429, retry_after: 7s }] }
  - { when: { operation: tasks.retrieve }, then: [reset, 503, { status: 429, retry_after: 20s }] }
`)
	started := sim.Now()
	if _, err := connect(sim).Video("waves"); err != nil {
		t.Fatal(err)
	}
	if waited := sim.Now().Sub(started); waited < 27*time.Second {
		t.Errorf("waited %s, want at least 27 s, as Retry-After said", waited)
	}
}

func TestLostCreateResponseDoesNotCreateASecondTask(t *testing.T) {
	sim := tasksim.New(t)
	sim.UseScenario("extends: lost-create-response")
	// The client reports the error, and does not look for the task.
	sim.Ignore("orphans-task")
	if _, err := connect(sim).Video("waves"); err == nil {
		t.Error("got a video although the response of the create request was lost")
	}
	if tasks := sim.Tasks(); len(tasks) != 1 {
		t.Errorf("got %v, want one task", tasks)
	}
}

func TestSignedWebhookArrivesWhenTheClockAdvances(t *testing.T) {
	events := make(chan string, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mac := hmac.New(sha256.New, []byte("whsec_local_signing_secret"))
		mac.Write(body)
		given, err := hex.DecodeString(r.Header.Get("X-Service-Signature"))
		if err != nil || !hmac.Equal(given, mac.Sum(nil)) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		events <- string(body)
	}))
	defer receiver.Close()
	sim := tasksim.New(t)
	sim.AddReceiver(receiver.URL)
	sim.Ignore("output-never-downloaded")
	order := map[string]any{"model": "acme/image-1", "input": map[string]any{"prompt": "a lighthouse"}}
	var task Task
	if err := connect(sim).call(http.MethodPost, "/tasks", order, &task); err != nil {
		t.Fatal(err)
	}
	if len(events) != 0 {
		t.Error("the webhook arrived while the clock was paused")
	}
	sim.Advance(time.Minute)
	if len(events) != 1 {
		t.Fatalf("got %d valid webhooks, want 1", len(events))
	}
	if event := <-events; !strings.Contains(event, task.ID) {
		t.Errorf("got %s, want an event of %s", event, task.ID)
	}
}
