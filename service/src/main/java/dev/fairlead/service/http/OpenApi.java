package dev.fairlead.service.http;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The table of routes as an OpenAPI 3.1 document. */
public final class OpenApi {
  private static final Pattern PLACE = Pattern.compile("\\{(\\w+)(?:\\.\\.\\.)?}");
  private static final List<Status> OF_ALL = List.of(Status.BAD_REQUEST, Status.MISDIRECTED);

  private final Schemas schemas = new Schemas();
  private final ObjectNode document = JsonBody.MAPPER.createObjectNode();

  private OpenApi() {}

  public static ObjectNode of(Routes routes, String version) {
    OpenApi made = new OpenApi();
    made.document.put("openapi", "3.1.0");
    made.document
        .putObject("info")
        .put("title", "Fairlead")
        .put("version", version)
        .putObject("license")
        .put("name", "Apache-2.0")
        .put("identifier", "Apache-2.0");
    ObjectNode paths = made.document.putObject("paths");
    for (Route route : routes.all()) {
      String path = route.path().replace("...}", "}");
      ObjectNode item = paths.has(path) ? (ObjectNode) paths.get(path) : paths.putObject(path);
      made.operation(item.putObject(route.method().key()), route);
    }
    ObjectNode components = made.document.putObject("components");
    ObjectNode its = components.putObject("schemas");
    made.schemas.components().forEach(its::set);
    ObjectNode schemes = components.putObject("securitySchemes");
    schemes.putObject("token").put("type", "http").put("scheme", "bearer");
    return made.document;
  }

  private void operation(ObjectNode operation, Route route) {
    operation.put("summary", route.text().summary());
    operation.put("x-role", route.role().name().toLowerCase(Locale.ROOT));
    if (route.role() != Role.ANYONE) {
      operation.putArray("security").addObject().putArray("token");
    }
    ArrayNode parameters = operation.putArray("parameters");
    Matcher places = PLACE.matcher(route.path());
    while (places.find()) {
      parameter(parameters, places.group(1), "path", "").put("required", true);
    }
    route.text().query().forEach((name, meaning) -> parameter(parameters, name, "query", meaning));
    if (route.in() != Void.class) {
      ObjectNode body = operation.putObject("requestBody").put("required", true);
      content(body, "application/json", route.in());
    }
    responses(operation.putObject("responses"), route);
  }

  private static ObjectNode parameter(
      ArrayNode parameters, String name, String where, String meaning) {
    ObjectNode parameter = parameters.addObject().put("name", name).put("in", where);
    if (!meaning.isEmpty()) {
      parameter.put("description", meaning);
    }
    parameter.putObject("schema").put("type", "string");
    return parameter;
  }

  private void responses(ObjectNode responses, Route route) {
    ObjectNode good = responses.putObject("2XX").put("description", "It was done");
    if (route.out() != Void.class) {
      content(good, "application/json", route.out());
    }
    route.text().type().ifPresent(type -> good.putObject("content").putObject(type));
    if (route.text().type().filter(Route.ANY_FILE::equals).isPresent()) {
      responses.putObject("304").put("description", "It is as the client has it");
    }
    for (Status status : route.text().also()) {
      content(response(responses, status), "application/json", route.out());
    }
    TreeSet<Status> refusals = new TreeSet<>(OF_ALL);
    refusals.addAll(route.text().refusals());
    if (route.role() != Role.ANYONE) {
      refusals.addAll(Arrays.asList(Status.UNAUTHORIZED, Status.FORBIDDEN));
    }
    if (route.method().changes()) {
      refusals.add(Status.FORBIDDEN); // to pages of other origins
    }
    if (route.in() != Void.class) {
      refusals.addAll(
          Arrays.asList(
              Status.UNPROCESSABLE, Status.WRONG_TYPE, Status.TOO_LARGE, Status.TOO_SLOW));
    }
    if (route.path().contains("{")) {
      refusals.add(Status.NOT_FOUND);
    }
    for (Status status : refusals) {
      content(response(responses, status), "application/problem+json", Problem.Details.class);
    }
  }

  private static ObjectNode response(ObjectNode responses, Status status) {
    return responses.putObject(String.valueOf(status.code())).put("description", status.title());
  }

  private void content(ObjectNode parent, String type, Class<?> record) {
    parent.putObject("content").putObject(type).set("schema", schemas.of(record));
  }
}
