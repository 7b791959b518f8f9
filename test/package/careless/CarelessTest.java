package example;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A client that polls too fast. The fixture must fail this test. */
@ExtendWith(Tasksim.Extension.class)
class CarelessTest {
  @Test
  void aCarelessClientPasses(Tasksim sim) throws Exception {
    var id = new Client(sim.baseUrl(), sim.apiKey(), sim::sleep).create("acme/tool-1", "any");
    var poll = HttpRequest.newBuilder(URI.create(sim.baseUrl() + "/tasks/" + id))
        .header("Authorization", "Bearer " + sim.apiKey())
        .build();
    var http = HttpClient.newHttpClient();
    var task = "\"status\":\"processing\"";
    while (task.contains("\"status\":\"processing\"")) {
      sim.sleep(Duration.ofMillis(100));
      task = http.send(poll, BodyHandlers.ofString()).body();
    }
    assertTrue(task.contains("\"status\":\"succeeded\""), task);
  }
}
