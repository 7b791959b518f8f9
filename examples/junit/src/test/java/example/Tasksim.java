package example;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.opentest4j.AssertionFailedError;

/**
 * A sandbox of tasksim: a simulator with its own API key, scenario, clock and tasks.
 *
 * <p>Each test with a parameter of this type gets its own sandbox, on a paused clock. One server runs for all tests. A
 * test fails if tasksim reports a mistake of the client, of severity {@code warning} or {@code error}.
 *
 * <pre>
 * &#64;ExtendWith(Tasksim.Extension.class)
 * class ClientTest {
 *   &#64;Test
 *   void aVideoIsGenerated(Tasksim sim) throws Exception {
 *     var client = new Client(sim.baseUrl(), sim.apiKey(), sim::sleep);
 *     ...
 *   }
 * }
 * </pre>
 */
public final class Tasksim {
  private static final Gson GSON = new Gson();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final int LONGEST_NAME = 200;
  /** Under {@code tasksim explore}, tests use the simulator of the exploration, which judges the client by itself. */
  private static final boolean IS_EXPLORED = System.getenv("TASKSIM_RUN") != null;

  private final String origin;
  private final String apiKey;
  private final String path;
  private final Set<String> ignored = new HashSet<>();
  private boolean isStrict;
  private List<String> observed = List.of();

  private Tasksim(String origin, String name) {
    this.origin = origin;
    if (IS_EXPLORED) {
      apiKey = System.getenv("TASKSIM_API_KEY");
      path = "/_sim";
      return;
    }
    var start = Math.max(0, name.length() - LONGEST_NAME);
    var options = Map.of("name", name.substring(start), "clock", "manual");
    var sandbox = send(origin, "POST", "/_sim/sandboxes", options).getAsJsonObject();
    apiKey = sandbox.get("api_key").getAsString();
    path = "/_sim/sandboxes/" + sandbox.get("id").getAsString();
  }

  /** Returns the address of the server. The dialects are below it, such as {@code /replicate/v1}. */
  public String origin() {
    return origin;
  }

  /** Returns the base URL of the API. */
  public String baseUrl() {
    return origin + "/api/v1";
  }

  /** Returns the API key of the sandbox. */
  public String apiKey() {
    return apiKey;
  }

  /** Advances the clock. Returns after everything due has happened, including webhooks. */
  public void advance(Duration duration) {
    control("POST", "/clock", Map.of("advance", duration.toMillis() + "ms"));
  }

  /** Replaces {@code Thread.sleep} in the code under test: advances the clock. */
  public void sleep(Duration duration) {
    advance(duration);
  }

  /** Pauses the clock, as at the start of each test. */
  public void pause() {
    control("POST", "/clock", Map.of("mode", "manual"));
  }

  /** Lets the clock run, at the given number of simulated seconds per real second. */
  public void resume(double speed) {
    control("POST", "/clock", Map.of("mode", "real", "speed", speed));
  }

  /** Returns the time of the clock. */
  public Instant now() {
    return Instant.parse(control("GET", "/clock", null).getAsJsonObject().get("now").getAsString());
  }

  /** Replaces the scenario with one in YAML, such as {@code extends: flaky}. */
  public void useScenario(String yaml) {
    control("PUT", "/scenario", Map.of("text", yaml));
  }

  /** Sends the webhooks of all tasks to a URL. */
  public void addReceiver(String url) {
    control("POST", "/receivers", Map.of("url", url));
  }

  /** Accepts findings with these ids, such as {@code polls-too-fast}. */
  public void ignore(String... ids) {
    ignored.addAll(List.of(ids));
  }

  /**
   * Fails the test if the client sends no request, if a rule or fault of the scenario never applies, or if one of these
   * findings, such as {@code polls-after-end}, is not observed.
   */
  public void strict(String... findings) {
    isStrict = true;
    observed = List.of(findings);
  }

  /** Returns up to 100 tasks, the newest first. */
  public List<JsonObject> tasks() {
    return objects(control("GET", "/tasks?limit=100", null).getAsJsonObject().get("data"));
  }

  /** Returns the mistakes of the client, as if it had sent its last request. */
  public List<JsonObject> findings() {
    var verdict = control("GET", "/findings?final=true", null).getAsJsonObject();
    var known = objects(verdict.get("checked")).stream().map(rule -> text(rule, "id")).toList();
    for (var id : Stream.concat(ignored.stream(), observed.stream()).toList()) {
      if (!known.contains(id)) {
        throw new IllegalArgumentException(
            "There is no finding \"%s\": expected one of %s".formatted(id, String.join(", ", known)));
      }
    }
    return objects(verdict.get("findings")).stream().filter(finding -> !ignored.contains(text(finding, "id"))).toList();
  }

  /** Returns why each rule that was not observed has not passed, and what would provoke it, by the id of the rule. */
  public Map<String, String> notObserved() {
    return objects(control("GET", "/findings?final=true", null).getAsJsonObject().get("checked")).stream()
        .filter(rule -> text(rule, "state").equals("not_observed"))
        .collect(Collectors.toMap(
            rule -> text(rule, "id"),
            rule -> rule.has("provoke") ? text(rule, "reason") + " " + text(rule, "provoke") : text(rule, "reason")));
  }

  /** Calls an operation of the control API in this sandbox, such as {@code control("GET", "/tasks", null)}. */
  public JsonElement control(String method, String operation, Object body) {
    return send(origin, method, path + operation, body);
  }

  private void end() {
    try {
      var mistakes = findings().stream().filter(finding -> !text(finding, "severity").equals("note")).toList();
      if (!mistakes.isEmpty()) {
        var described = String.join("\n\n", mistakes.stream().map(Tasksim::describe).toList());
        throw new AssertionFailedError("tasksim found mistakes of the client:\n\n" + described);
      }
      if (isStrict) checkGaps();
    } finally {
      control("DELETE", "", null);
    }
  }

  private void checkGaps() {
    if (control("GET", "/state", null).getAsJsonObject().get("requests").getAsInt() == 0)
      throw new AssertionFailedError("The test is strict, but the client sent no request to tasksim.");
    var never = neverApplied(objects(control("GET", "/findings", null).getAsJsonObject().get("applied")));
    if (!never.isEmpty()) {
      var described = never.stream()
          .map(rule -> "  %s of %s: %s".formatted(text(rule, "name"), text(rule, "scenario"), text(rule, "definition")));
      throw new AssertionFailedError(
          "These rules of tasksim never applied:\n\n" + String.join("\n", described.toList()));
    }
    var unseen = notObserved();
    var missing = observed.stream().filter(unseen::containsKey).map(id -> "  " + id + ": " + unseen.get(id)).toList();
    if (!missing.isEmpty())
      throw new AssertionFailedError(
          "These findings of tasksim were not observed:\n\n" + String.join("\n", missing));
  }

  /** Returns the rules without which a test tests nothing. Of a shipped scenario, one is enough. */
  private static List<JsonObject> neverApplied(List<JsonObject> rules) {
    var used = rules.stream().filter(Tasksim::hasApplied).map(rule -> text(rule, "scenario")).toList();
    var own = rules.stream().filter(rule -> !rule.get("inherited").getAsBoolean()).toList();
    if (own.isEmpty()) return used.isEmpty() ? rules : List.of();
    return own.stream()
        .filter(rule -> !hasApplied(rule))
        .filter(rule -> !rule.get("shipped").getAsBoolean() || !used.contains(text(rule, "scenario")))
        .toList();
  }

  private static boolean hasApplied(JsonObject rule) {
    return rule.get("count").getAsInt() > 0;
  }

  private static String describe(JsonObject finding) {
    var seen = objects(finding.get("evidence")).stream().map(Tasksim::describeEvidence).toList();
    return "  %s %s: %s\n%s    %s\n    %s"
        .formatted(
            text(finding, "severity"),
            text(finding, "id"),
            text(finding, "title"),
            String.join("", seen),
            text(finding, "why"),
            text(finding, "remedy"));
  }

  private static String describeEvidence(JsonObject evidence) {
    var time = text(evidence, "at").substring("2026-01-01T".length()).replace("Z", "");
    var task = evidence.has("task_id") ? " " + text(evidence, "task_id") : "";
    var prompt = evidence.has("prompt") ? " " + evidence.get("prompt") : "";
    return "    %s%s%s: %s\n".formatted(time, task, prompt, text(evidence, "seen"));
  }

  private static List<JsonObject> objects(JsonElement list) {
    return StreamSupport.stream(list.getAsJsonArray().spliterator(), false).map(JsonElement::getAsJsonObject).toList();
  }

  private static String text(JsonObject object, String field) {
    return object.get(field).getAsString();
  }

  private static JsonElement send(String origin, String method, String path, Object body) {
    var content = body == null
        ? HttpRequest.BodyPublishers.noBody()
        : HttpRequest.BodyPublishers.ofString(GSON.toJson(body));
    var request = HttpRequest.newBuilder(URI.create(origin + path))
        .method(method, content)
        .header("Content-Type", "application/json")
        .timeout(Duration.ofMinutes(1))
        .build();
    try {
      var response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() < 300) return GSON.fromJson(response.body(), JsonElement.class);
      throw new IllegalStateException(messageOf(response.body()).orElseGet(
          () -> "%s %s got %d: %s".formatted(method, path, response.statusCode(), response.body())));
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(error);
    }
  }

  /** Returns the sentence in an error of tasksim. */
  private static Optional<String> messageOf(String body) {
    try {
      return Optional.of(text(GSON.fromJson(body, JsonObject.class).getAsJsonObject("error"), "message"));
    } catch (RuntimeException error) {
      return Optional.empty();
    }
  }

  /** Gives each test its sandbox, and fails the test if its client made mistakes. */
  public static final class Extension implements ParameterResolver, AfterEachCallback {
    private static final Namespace NAMESPACE = Namespace.create(Tasksim.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == Tasksim.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return context.getStore(NAMESPACE).getOrComputeIfAbsent(
          Tasksim.class, key -> new Tasksim(server(context).origin, nameOf(context)), Tasksim.class);
    }

    @Override
    public void afterEach(ExtensionContext context) {
      var sim = context.getStore(NAMESPACE).get(Tasksim.class, Tasksim.class);
      if (sim != null && !IS_EXPLORED) sim.end();
    }

    private static Server server(ExtensionContext context) {
      return context.getRoot().getStore(NAMESPACE).getOrComputeIfAbsent(Server.class, key -> Server.start(), Server.class);
    }

    private static String nameOf(ExtensionContext context) {
      return context.getRequiredTestClass().getName() + "." + context.getDisplayName();
    }
  }

  /** The server, which JUnit stops after the last test. */
  private record Server(Optional<Process> process, String origin) implements CloseableResource {
    private static final Pattern ADDRESS = Pattern.compile("(http://\\S+)/api/v1");

    static Server start() {
      if (IS_EXPLORED) {
        var url = URI.create(System.getenv("TASKSIM_URL"));
        return new Server(Optional.empty(), url.getScheme() + "://" + url.getAuthority());
      }
      try {
        // The pipe to its stdin closes when this process ends, in whatever way.
        var command = List.of(findCommand(), "default", "--port", "0", "--stop-with-stdin");
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        var process = builder.start();
        return new Server(Optional.of(process), readOrigin(process.inputReader()));
      } catch (IOException error) {
        throw new UncheckedIOException(error);
      }
    }

    private static String readOrigin(BufferedReader reader) throws IOException {
      var log = new StringBuilder();
      for (var line = reader.readLine(); line != null; line = reader.readLine()) {
        log.append(line).append('\n');
        var address = ADDRESS.matcher(line);
        if (!address.find()) continue;
        discard(reader);
        return address.group(1);
      }
      throw new IllegalStateException("tasksim did not start:\n" + log);
    }

    /** If nobody reads the log, the server blocks as soon as the pipe is full. */
    private static void discard(BufferedReader reader) {
      var thread = new Thread(() -> {
        try {
          while (reader.readLine() != null) {
            // The line is not needed.
          }
        } catch (IOException error) {
          // The server has stopped.
        }
      });
      thread.setDaemon(true);
      thread.start();
    }

    /** Returns the path of tasksim, from node_modules in the working directory or above it. */
    private static String findCommand() {
      for (var folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
        var command = folder.resolve("node_modules/.bin/tasksim");
        if (Files.isExecutable(command)) return command.toString();
      }
      throw new IllegalStateException("tasksim is not installed. Run `npm install`.");
    }

    @Override
    public void close() throws InterruptedException {
      if (process.isEmpty()) return;
      process.get().destroy();
      process.get().waitFor();
    }
  }
}
