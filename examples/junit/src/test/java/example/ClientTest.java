package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the client on the clock of tasksim: no test waits. */
@ExtendWith(Tasksim.Extension.class)
class ClientTest {
  private static final String SECRET = "whsec_local_signing_secret";

  private static Client clientOf(Tasksim sim) {
    return new Client(sim.baseUrl(), sim.apiKey(), sim::sleep);
  }

  private static List<String> statuses(Tasksim sim) {
    return sim.tasks().stream().map(task -> task.get("status").getAsString()).toList();
  }

  @Test
  void aVideoIsGeneratedAndDownloaded(Tasksim sim) throws Exception {
    var video = clientOf(sim).generate("waves");
    assertEquals("ftyp", new String(video, 4, 4, StandardCharsets.US_ASCII));
    assertEquals(List.of("succeeded"), statuses(sim));
  }

  @Test
  void aFailedTaskIsReportedWithItsReason(Tasksim sim) {
    var prompt = "a storm [[sim outcome=failed message=\"No storms.\"]]";
    var error = assertThrows(IOException.class, () -> clientOf(sim).generate(prompt));
    assertTrue(error.getMessage().contains("No storms."), error.getMessage());
  }

  @Test
  void aTaskThatNeverEndsIsCanceled(Tasksim sim) {
    sim.useScenario("extends: stuck");
    assertThrows(IOException.class, () -> clientOf(sim).generate("waves"));
    assertEquals(List.of("canceled"), statuses(sim));
  }

  @Test
  void rejectionsAndLostResponsesAreRetried(Tasksim sim) throws Exception {
    sim.useScenario("""
        extends: default
        faults:
          - { when: { operation: tasks.create }, then: [{ status: 429, retry_after: 7s }] }
          - { when: { operation: tasks.retrieve }, then: [reset, 503, { status: 429, retry_after: 20s }] }
        """);
    var started = sim.now();
    clientOf(sim).generate("waves");
    var waited = Duration.between(started, sim.now()).toSeconds();
    assertTrue(waited >= 27, "waited " + waited + " s, but Retry-After said 27 s");
  }

  @Test
  void aLostCreateResponseDoesNotCreateASecondTask(Tasksim sim) {
    sim.useScenario("extends: lost-create-response");
    // The client reports the error, and does not look for the task.
    sim.ignore("orphans-task");
    assertThrows(IOException.class, () -> clientOf(sim).generate("waves"));
    assertEquals(1, sim.tasks().size());
  }

  @Test
  void aSignedWebhookArrivesWhenTheClockAdvances(Tasksim sim) throws Exception {
    var events = new CopyOnWriteArrayList<String>();
    var receiver = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    receiver.createContext("/", exchange -> receive(exchange, events));
    receiver.start();
    try {
      sim.addReceiver("http://127.0.0.1:" + receiver.getAddress().getPort() + "/");
      sim.ignore("output-never-downloaded");
      var id = clientOf(sim).create("acme/image-1", "a lighthouse at dawn");
      assertEquals(List.of(), events);
      sim.advance(Duration.ofMinutes(1));
      assertEquals(1, events.size());
      assertTrue(events.get(0).contains(id), events.get(0));
    } finally {
      receiver.stop(0);
    }
  }

  private static void receive(HttpExchange exchange, List<String> events) throws IOException {
    try (exchange) {
      var body = exchange.getRequestBody().readAllBytes();
      var given = exchange.getRequestHeaders().getFirst("X-Service-Signature");
      var isValid = given != null && MessageDigest.isEqual(sign(body).getBytes(), given.getBytes());
      if (isValid) events.add(new String(body, StandardCharsets.UTF_8));
      exchange.sendResponseHeaders(isValid ? 204 : 401, -1);
    }
  }

  private static String sign(byte[] body) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return HexFormat.of().formatHex(mac.doFinal(body));
    } catch (GeneralSecurityException error) {
      throw new IllegalStateException(error);
    }
  }
}
