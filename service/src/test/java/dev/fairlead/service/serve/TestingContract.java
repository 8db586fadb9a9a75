package dev.fairlead.service.serve;

import com.networknt.schema.Error;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the description of the API says of answers; an answer that it does not allow fails the test
 * that got it.
 */
final class TestingContract {
  private static final JsonMapper JSON = new JsonMapper();
  private static final SchemaRegistry SCHEMAS =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

  /** What is answered where nothing is, or not by that method: the description has no such line. */
  private static final List<Integer> WITHOUT_ROUTE = List.of(400, 404, 405, 421, 431);

  /** Held, so that its level stays: it warns of every word that is not of JSON Schema. */
  private static final Logger WORDS = Logger.getLogger("com.networknt");

  private final JsonNode document;
  private final Map<String, Pattern> paths = new TreeMap<>();

  TestingContract(String document) {
    WORDS.setLevel(Level.SEVERE);
    this.document = JSON.readTree(document);
    for (String path : this.document.get("paths").propertyNames()) {
      String rest = path.endsWith("/{path}") ? ".+" : "[^/]+";
      paths.put(path, Pattern.compile(path.replaceAll("\\{\\w+}", rest)));
    }
  }

  /**
   * An answer to be checked.
   *
   * @param method of the request
   * @param path of the request, without its query
   * @param contentType empty if it has none
   */
  record Answered(String method, String path, int status, String contentType, String body) {}

  /**
   * Checks an answer.
   *
   * @throws AssertionError if it is not one that the description allows
   */
  void check(Answered answer) {
    Optional<JsonNode> operation = operation(answer.method, answer.path);
    if (operation.isEmpty()) {
      require(WITHOUT_ROUTE.contains(answer.status), answer, "there is no such route");
      problem(answer);
      return;
    }
    JsonNode responses = operation.get().get("responses");
    JsonNode response = responses.get(String.valueOf(answer.status));
    if (response == null && answer.status / 100 == 2) {
      response = responses.get("2XX");
    }
    require(response != null, answer, "the description has no such status");
    if (answer.method.equals("HEAD")) {
      return;
    }
    JsonNode content = response.path("content");
    if (content.isEmpty()) {
      require(answer.body.isEmpty(), answer, "the description has no body");
    } else if (!content.has("*/*")) {
      JsonNode its = content.get(answer.contentType.replaceAll(";.*", "").strip());
      require(its != null, answer, "the description has the types " + content.propertyNames());
      if (its.has("schema")) {
        fits(answer, answer.body, its.get("schema"));
      }
    }
    if (answer.status >= 400 && answer.contentType.equals("application/problem+json")) {
      problem(answer);
    }
  }

  /** Checks a body that was taken: the description has to allow it, too. */
  void checkTaken(Answered answer, String body) {
    Optional<JsonNode> schema =
        operation(answer.method, answer.path)
            .map(operation ->
                operation
                    .path("requestBody")
                    .path("content")
                    .path("application/json")
                    .get("schema"));
    if (answer.status / 100 == 2 && schema.isPresent()) {
      fits(answer, body, schema.get());
    }
  }

  private Optional<JsonNode> operation(String method, String path) {
    String key = method.equals("HEAD") ? "get" : method.toLowerCase(Locale.ROOT);
    return paths.entrySet().stream()
        .filter(entry -> entry.getValue().matcher(path).matches())
        .map(entry -> document.get("paths").get(entry.getKey()).get(key))
        .filter(operation -> operation != null)
        .findFirst();
  }

  /** A refusal has problem details that say something. */
  private void problem(Answered answer) {
    if (answer.method.equals("HEAD")) {
      return;
    }
    require(answer.contentType.equals("application/problem+json"), answer, "no problem details");
    fits(answer, answer.body, JSON.readTree("{\"$ref\":\"#/components/schemas/Details\"}"));
    JsonNode details = JSON.readTree(answer.body);
    require(details.get("status").asInt() == answer.status, answer, "another status in its body");
    require(!details.get("detail").asString().isBlank(), answer, "no reason");
    require(!answer.body.contains("\\tat "), answer, "a stack trace");
  }

  private void fits(Answered answer, String body, JsonNode schema) {
    ObjectNode whole = (ObjectNode) schema.deepCopy();
    whole.set("components", document.get("components"));
    List<Error> errors;
    try {
      errors = SCHEMAS.getSchema(whole).validate(JSON.readTree(body));
    } catch (JacksonException malformed) {
      throw new AssertionError("%s: no JSON: %s".formatted(answer, body), malformed);
    }
    require(errors.isEmpty(), answer, errors.toString());
  }

  private static void require(boolean holds, Answered answer, String otherwise) {
    if (!holds) {
      throw new AssertionError("%s is not as described: %s".formatted(answer, otherwise));
    }
  }
}
