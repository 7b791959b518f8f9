// Package tasksim starts tasksim for tests, and gives each test a sandbox of its own, on a paused clock.
//
//	func TestMain(m *testing.M) { os.Exit(tasksim.Run(m)) }
//
//	func TestVideo(t *testing.T) {
//		sim := tasksim.New(t)
//		client := Client{BaseURL: sim.BaseURL, Key: sim.APIKey, Sleep: sim.Sleep}
//		...
//	}
//
// A test fails if tasksim reports a mistake of the client, of severity "warning" or "error".
package tasksim

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// origin is the address of the server that Run started, or of the simulator of an exploration.
var origin string

// isExplored is true under `tasksim explore`: tests use the simulator of the exploration, which judges the client by itself.
var isExplored = os.Getenv("TASKSIM_RUN") != ""

// The server carries out what is due, also webhooks, before it answers.
var httpClient = &http.Client{Timeout: time.Minute}

var address = regexp.MustCompile(`(http://\S+)/api/v1`)

// Run starts a server on a free port, runs the tests of the package, and stops the server. It returns the exit code.
func Run(m *testing.M) int {
	if isExplored {
		explored, err := url.Parse(os.Getenv("TASKSIM_URL"))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		origin = explored.Scheme + "://" + explored.Host
		return m.Run()
	}
	server, err := start()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() {
		_ = server.Process.Signal(os.Interrupt)
		_ = server.Wait()
	}()
	return m.Run()
}

func start() (*exec.Cmd, error) {
	command, err := findCommand()
	if err != nil {
		return nil, err
	}
	server := exec.Command(command, "default", "--port", "0", "--stop-with-stdin")
	server.Stderr = os.Stderr
	// The pipe stays open until the server has stopped, or until this process has ended in whatever way.
	if _, err := server.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := server.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := server.Start(); err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", command, err)
	}
	lines := bufio.NewReader(stdout)
	for {
		line, err := lines.ReadString('\n')
		if match := address.FindStringSubmatch(line); match != nil {
			origin = match[1]
			// If nobody reads the log, the server blocks as soon as the pipe is full.
			go func() { _, _ = io.Copy(io.Discard, lines) }()
			return server, nil
		}
		if err != nil {
			_ = server.Wait()
			return nil, fmt.Errorf("tasksim did not start: its output ended with %q", line)
		}
	}
}

// findCommand returns the path of tasksim: from node_modules in this folder or above it, or else from PATH.
func findCommand() (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if path, err := exec.LookPath(filepath.Join(folder, "node_modules", ".bin", "tasksim")); err == nil {
			return path, nil
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			break
		}
		folder = parent
	}
	if path, err := exec.LookPath("tasksim"); err == nil {
		return path, nil
	}
	return "", fmt.Errorf("tasksim is not installed; run `npm install`")
}

// Sim is a sandbox: a simulator with its own API key, scenario, clock and tasks.
type Sim struct {
	// Origin is the address of the server; the dialects are below it, such as /replicate/v1.
	Origin string
	// BaseURL is the base URL of the API.
	BaseURL string
	// APIKey selects the sandbox.
	APIKey string

	t       testing.TB
	url     string
	ignored map[string]bool
	strict  bool
	// observed has the ids of findings that must have been observed.
	observed []string
}

// Task is a task with the fields that tests use most.
type Task struct {
	ID     string `json:"id"`
	Model  string `json:"model"`
	Status string `json:"status"`
}

// Finding is one mistake of the client.
type Finding struct {
	ID       string `json:"id"`
	Severity string `json:"severity"`
	Title    string `json:"title"`
	Why      string `json:"why"`
	Remedy   string `json:"remedy"`
	Evidence []struct {
		At     time.Time `json:"at"`
		TaskID string    `json:"task_id"`
		Prompt string    `json:"prompt"`
		Seen   string    `json:"seen"`
	} `json:"evidence"`
}

// A rule or fault of the scenario, and how often it has applied.
type rule struct {
	Name       string `json:"name"`
	Scenario   string `json:"scenario"`
	Definition string `json:"definition"`
	Inherited  bool   `json:"inherited"`
	Shipped    bool   `json:"shipped"`
	Count      int    `json:"count"`
}

type verdict struct {
	Findings []Finding `json:"findings"`
	Checked  []struct {
		ID      string `json:"id"`
		State   string `json:"state"`
		Reason  string `json:"reason"`
		Provoke string `json:"provoke"`
	} `json:"checked"`
	Applied []rule `json:"applied"`
}

// New creates a sandbox with the scenario `default` on a paused clock. When the test ends, it reports the mistakes of
// the client as errors of the test.
func New(t testing.TB) *Sim {
	t.Helper()
	if origin == "" {
		t.Fatal("no server is running: add `func TestMain(m *testing.M) { os.Exit(tasksim.Run(m)) }`")
	}
	sim := &Sim{Origin: origin, BaseURL: origin + "/api/v1", t: t, url: origin + "/_sim", ignored: map[string]bool{}}
	if isExplored {
		sim.APIKey = os.Getenv("TASKSIM_API_KEY")
		return sim
	}
	name := t.Name()
	if len(name) > 200 {
		name = name[len(name)-200:]
	}
	var sandbox struct {
		ID     string `json:"id"`
		APIKey string `json:"api_key"`
	}
	sim.Control(http.MethodPost, "/sandboxes", map[string]string{"name": name, "clock": "manual"}, &sandbox)
	sim.APIKey = sandbox.APIKey
	sim.url += "/sandboxes/" + sandbox.ID
	t.Cleanup(sim.end)
	return sim
}

// end reports the mistakes of the client and deletes the sandbox.
func (s *Sim) end() {
	for _, found := range s.Findings() {
		if found.Severity != "note" {
			s.t.Errorf("tasksim found a mistake of the client:\n%s", found)
		}
	}
	if s.strict {
		s.reportGaps()
	}
	s.Control(http.MethodDelete, "", nil, nil)
}

// reportGaps reports what a strict test has not tested.
func (s *Sim) reportGaps() {
	var state struct {
		Requests int `json:"requests"`
	}
	s.Control(http.MethodGet, "/state", nil, &state)
	if state.Requests == 0 {
		s.t.Error("the test is strict, but the client sent no request to tasksim")
	}
	for _, rule := range neverApplied(s.verdict().Applied) {
		s.t.Errorf("a rule of tasksim never applied: %s of %s: %s", rule.Name, rule.Scenario, rule.Definition)
	}
	unseen := s.NotObserved()
	for _, id := range s.observed {
		if why, isUnseen := unseen[id]; isUnseen {
			s.t.Errorf("a finding of tasksim was not observed: %s: %s", id, why)
		}
	}
}

// NotObserved returns why each rule that was not observed has not passed, and what would provoke it, by the id of the rule.
func (s *Sim) NotObserved() map[string]string {
	s.t.Helper()
	unseen := map[string]string{}
	for _, rule := range s.verdict().Checked {
		if rule.State == "not_observed" {
			unseen[rule.ID] = strings.TrimSpace(rule.Reason + " " + rule.Provoke)
		}
	}
	return unseen
}

// neverApplied returns the rules without which a test tests nothing. Of a shipped scenario, one is enough.
func neverApplied(rules []rule) []rule {
	used := map[string]bool{}
	isUsed, isOwn := false, false
	for _, rule := range rules {
		used[rule.Scenario] = used[rule.Scenario] || rule.Count > 0
		isUsed = isUsed || rule.Count > 0
		isOwn = isOwn || !rule.Inherited
	}
	var never []rule
	for _, rule := range rules {
		if isOwn && !rule.Inherited && rule.Count == 0 && !(rule.Shipped && used[rule.Scenario]) || !isOwn && !isUsed {
			never = append(never, rule)
		}
	}
	return never
}

// Strict fails the test if the client sends no request, if a rule or fault of the scenario never applies, or if one of
// these findings, such as "polls-after-end", is not observed.
func (s *Sim) Strict(findings ...string) {
	s.strict = true
	s.observed = findings
}

// Ignore accepts findings with these ids, such as "polls-too-fast".
func (s *Sim) Ignore(ids ...string) {
	for _, id := range ids {
		s.ignored[id] = true
	}
}

// Advance advances the clock. It returns after everything due has happened, including webhooks.
func (s *Sim) Advance(duration time.Duration) {
	s.t.Helper()
	s.Control(http.MethodPost, "/clock", map[string]string{"advance": fmt.Sprintf("%dms", duration.Milliseconds())}, nil)
}

// Sleep replaces time.Sleep in the code under test: it advances the clock.
func (s *Sim) Sleep(duration time.Duration) {
	s.t.Helper()
	s.Advance(duration)
}

// Pause pauses the clock, as at the start of each test.
func (s *Sim) Pause() {
	s.t.Helper()
	s.Control(http.MethodPost, "/clock", map[string]string{"mode": "manual"}, nil)
}

// Resume lets the clock run, at the given number of simulated seconds per real second.
func (s *Sim) Resume(speed float64) {
	s.t.Helper()
	s.Control(http.MethodPost, "/clock", map[string]any{"mode": "real", "speed": speed}, nil)
}

// Now returns the time of the clock. It replaces time.Now in the code under test.
func (s *Sim) Now() time.Time {
	s.t.Helper()
	var clock struct {
		Now time.Time `json:"now"`
	}
	s.Control(http.MethodGet, "/clock", nil, &clock)
	return clock.Now
}

// UseScenario replaces the scenario with one in YAML, such as "extends: flaky".
func (s *Sim) UseScenario(yaml string) {
	s.t.Helper()
	s.Control(http.MethodPut, "/scenario", map[string]string{"text": yaml}, nil)
}

// AddReceiver sends the webhooks of all tasks to a URL.
func (s *Sim) AddReceiver(url string) {
	s.t.Helper()
	s.Control(http.MethodPost, "/receivers", map[string]string{"url": url}, nil)
}

// Tasks returns up to 100 tasks, the newest first.
func (s *Sim) Tasks() []Task {
	s.t.Helper()
	var page struct {
		Data []Task `json:"data"`
	}
	s.Control(http.MethodGet, "/tasks?limit=100", nil, &page)
	return page.Data
}

// Findings returns the mistakes of the client, as if it had sent its last request.
func (s *Sim) Findings() []Finding {
	s.t.Helper()
	verdict := s.verdict()
	var ids []string
	known := map[string]bool{}
	for _, rule := range verdict.Checked {
		ids = append(ids, rule.ID)
		known[rule.ID] = true
	}
	named := append([]string{}, s.observed...)
	for id := range s.ignored {
		named = append(named, id)
	}
	for _, id := range named {
		if !known[id] {
			s.t.Fatalf("there is no finding %q: expected one of %s", id, strings.Join(ids, ", "))
		}
	}
	var found []Finding
	for _, finding := range verdict.Findings {
		if !s.ignored[finding.ID] {
			found = append(found, finding)
		}
	}
	return found
}

func (s *Sim) verdict() verdict {
	s.t.Helper()
	var verdict verdict
	s.Control(http.MethodGet, "/findings?final=true", nil, &verdict)
	return verdict
}

// String describes a finding with its evidence and remedy.
func (f Finding) String() string {
	lines := []string{fmt.Sprintf("  %s %s: %s", f.Severity, f.ID, f.Title)}
	for _, evidence := range f.Evidence {
		where := []string{evidence.At.Format("15:04:05.000")}
		if evidence.TaskID != "" {
			where = append(where, evidence.TaskID)
		}
		if evidence.Prompt != "" {
			where = append(where, fmt.Sprintf("%q", evidence.Prompt))
		}
		lines = append(lines, "    "+strings.Join(where, " ")+": "+evidence.Seen)
	}
	return strings.Join(append(lines, "    "+f.Why, "    "+f.Remedy), "\n")
}

// Control calls an operation of the control API in this sandbox, and stores the response in `into` unless it is nil.
func (s *Sim) Control(method, path string, body, into any) {
	s.t.Helper()
	if err := s.send(method, path, body, into); err != nil {
		s.t.Fatalf("%s %s: %v", method, path, err)
	}
}

func (s *Sim) send(method, path string, body, into any) error {
	var content io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return err
		}
		content = bytes.NewReader(data)
	}
	request, err := http.NewRequest(method, s.url+path, content)
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := httpClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= 300 {
		var problem struct {
			Error struct {
				Message string `json:"message"`
			} `json:"error"`
		}
		if json.Unmarshal(answer, &problem) == nil && problem.Error.Message != "" {
			return errors.New(problem.Error.Message)
		}
		return fmt.Errorf("got %d: %s", response.StatusCode, answer)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(answer, into)
}
