package example;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.function.IntPredicate;

/** Generates videos: creates a task, waits until it ends, and downloads its output. */
public final class Client {
  private static final Gson GSON = new Gson();
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration POLL_INTERVAL = Duration.ofSeconds(3);
  private static final Duration TASK_TIMEOUT = Duration.ofMinutes(10);
  private static final int MAX_ATTEMPTS = 6;
  /** The status of an attempt that got no response. */
  private static final int NO_RESPONSE = 0;

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(REQUEST_TIMEOUT).build();
  private final String baseUrl;
  private final String key;
  private final Sleeper sleeper;

  /** Waits; a test waits on the clock of the simulator instead. */
  @FunctionalInterface
  public interface Sleeper {
    void sleep(Duration duration) throws InterruptedException;
  }

  public Client(String baseUrl, String key) {
    this(baseUrl, key, duration -> Thread.sleep(duration.toMillis()));
  }

  public Client(String baseUrl, String key, Sleeper sleeper) {
    this.baseUrl = baseUrl;
    this.key = key;
    this.sleeper = sleeper;
  }

  /** Returns the bytes of a generated video. */
  public byte[] generate(String prompt) throws IOException, InterruptedException {
    var task = await(create("acme/video-1", prompt));
    // The file host is not the API, so it gets no API key.
    var file = URI.create(task.getAsJsonObject("output").get("video").getAsString());
    var request = HttpRequest.newBuilder(file).timeout(REQUEST_TIMEOUT).build();
    return send(request, BodyHandlers.ofByteArray(), Client::isTemporary).body();
  }

  /** Creates a task, and returns its id. */
  String create(String model, String prompt) throws IOException, InterruptedException {
    var order = Map.of("model", model, "input", Map.of("prompt", prompt));
    var body = HttpRequest.BodyPublishers.ofString(GSON.toJson(order));
    var request = request("/tasks").header("Content-Type", "application/json").POST(body).build();
    // A create request without an answer may have created a task. Repeating it could cost twice.
    return json(send(request, BodyHandlers.ofString(), status -> status == 429)).get("id").getAsString();
  }

  private JsonObject await(String id) throws IOException, InterruptedException {
    var poll = request("/tasks/" + id).build();
    for (var waited = Duration.ZERO; waited.compareTo(TASK_TIMEOUT) < 0; waited = waited.plus(POLL_INTERVAL)) {
      sleeper.sleep(POLL_INTERVAL);
      var task = json(send(poll, BodyHandlers.ofString(), Client::isTemporary));
      var status = task.get("status").getAsString();
      if (status.equals("succeeded")) return task;
      if (status.equals("failed") || status.equals("canceled"))
        throw new IOException("The task %s is %s: %s".formatted(id, status, task.get("error")));
    }
    var cancel = request("/tasks/" + id + "/cancel").POST(HttpRequest.BodyPublishers.noBody()).build();
    send(cancel, BodyHandlers.ofString(), Client::isTemporary);
    throw new IOException("The task %s did not end within %s and was canceled".formatted(id, TASK_TIMEOUT));
  }

  private HttpRequest.Builder request(String path) {
    var uri = URI.create(baseUrl + path);
    return HttpRequest.newBuilder(uri).header("Authorization", "Bearer " + key).timeout(REQUEST_TIMEOUT);
  }

  /** Sends a request again as long as its status is retryable, after Retry-After, or else after 1, 2, 4 ... seconds. */
  private <T> HttpResponse<T> send(
      HttpRequest request, HttpResponse.BodyHandler<T> handler, IntPredicate isRetryable)
      throws IOException, InterruptedException {
    for (var attempts = 1; ; attempts++) {
      var delay = Duration.ofSeconds(1L << (attempts - 1));
      var isLast = attempts == MAX_ATTEMPTS;
      try {
        var response = http.send(request, handler);
        var status = response.statusCode();
        if (status < 300) return response;
        if (isLast || !isRetryable.test(status))
          throw new RejectedException("%s got the status %d".formatted(request.uri().getPath(), status));
        delay = Duration.ofSeconds(response.headers().firstValueAsLong("Retry-After").orElse(delay.toSeconds()));
      } catch (RejectedException error) {
        throw error;
      } catch (IOException error) {
        if (isLast || !isRetryable.test(NO_RESPONSE)) throw error;
      }
      sleeper.sleep(delay);
    }
  }

  private static boolean isTemporary(int status) {
    return status == NO_RESPONSE || status == 429 || status >= 500;
  }

  private static JsonObject json(HttpResponse<String> response) {
    return GSON.fromJson(response.body(), JsonObject.class);
  }

  private static final class RejectedException extends IOException {
    private static final long serialVersionUID = 1L;

    RejectedException(String message) {
      super(message);
    }
  }
}
