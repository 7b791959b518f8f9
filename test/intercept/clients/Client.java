import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.regex.Pattern;

/** Creates, polls and downloads with the clients of Java, as an app does that knows nothing of tasksim. */
public class Client {
    static final String PREDICTIONS = "https://api.replicate.com/v1/predictions";
    static final String BODY = "{\"version\": \"acme/image-1\", \"input\": {\"prompt\": \"a fox\"}}";
    static final String KEY = "Bearer " + System.getenv("REPLICATE_API_TOKEN");

    interface Sender {
        byte[] send(String method, String url, String body) throws Exception;
    }

    public static void main(String[] names) {
        for (String name : names) System.out.println("[\"" + name + "\", \"" + outcome(name) + "\"]");
    }

    static String outcome(String name) {
        Sender sender = name.equals("HttpClient") ? Client::withClient : Client::withConnection;
        try {
            String made = new String(sender.send("POST", PREDICTIONS, BODY));
            while (!made.contains("\"status\":\"succeeded\"")) {
                made = new String(sender.send("GET", find(made, "\"get\":\"([^\"]+)\""), null));
            }
            byte[] file = sender.send("GET", find(made, "\"output\":\\[?\"([^\"]+)\""), null);
            return file[1] == 'P' && file[2] == 'N' ? "ok" : "no picture";
        } catch (Exception error) {
            return String.valueOf(error).replace('"', '\'');
        }
    }

    static String find(String text, String pattern) {
        var matcher = Pattern.compile(pattern).matcher(text);
        if (!matcher.find()) throw new IllegalStateException(text);
        return matcher.group(1);
    }

    static byte[] withClient(String method, String url, String body) throws Exception {
        var content = body == null
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofString(body);
        var request = HttpRequest.newBuilder(URI.create(url))
            .header("Authorization", KEY)
            .header("Content-Type", "application/json")
            .method(method, content)
            .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofByteArray()).body();
    }

    static byte[] withConnection(String method, String url, String body) throws Exception {
        var connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
        connection.setRequestMethod(method);
        connection.setRequestProperty("Authorization", KEY);
        connection.setRequestProperty("Content-Type", "application/json");
        if (body != null) {
            connection.setDoOutput(true);
            connection.getOutputStream().write(body.getBytes());
        }
        return connection.getInputStream().readAllBytes();
    }
}
