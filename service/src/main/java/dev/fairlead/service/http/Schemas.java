package dev.fairlead.service.http;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * JSON Schemas of records, as {@link JsonBody#MAPPER} writes and reads them. A component is
 * required unless it is {@link Optional}.
 */
final class Schemas {
  private final Map<String, ObjectNode> components = new TreeMap<>();

  /** A reference to the schema of a record, which is added to the components. */
  ObjectNode of(Type type) {
    if (type instanceof ParameterizedType generic) {
      return ofGeneric(generic);
    }
    Class<?> plain = (Class<?>) type;
    if (plain.isEnum()) {
      return ofEnum(plain);
    }
    if (plain.isRecord()) {
      return ofRecord(plain);
    }
    return ofScalar(plain);
  }

  private ObjectNode ofGeneric(ParameterizedType type) {
    Type[] arguments = type.getActualTypeArguments();
    if (type.getRawType() == Optional.class) {
      return of(arguments[0]);
    }
    if (type.getRawType() == List.class) {
      ObjectNode schema = typed("array");
      schema.set("items", of(arguments[0]));
      return schema;
    }
    if (type.getRawType() == Map.class) {
      ObjectNode schema = typed("object");
      schema.set("additionalProperties", of(arguments[1]));
      return schema;
    }
    throw new IllegalArgumentException("No schema for " + type);
  }

  private static ObjectNode ofEnum(Class<?> type) {
    ObjectNode schema = typed("string");
    ArrayNode values = schema.putArray("enum");
    for (Object constant : type.getEnumConstants()) {
      values.add(((Enum<?>) constant).name().toLowerCase(Locale.ROOT));
    }
    return schema;
  }

  private static ObjectNode ofScalar(Class<?> type) {
    if (type == String.class) {
      return typed("string");
    }
    if (type == boolean.class || type == Boolean.class) {
      return typed("boolean");
    }
    if (type == int.class || type == Integer.class) {
      return typed("integer").put("format", "int32");
    }
    if (type == long.class || type == Long.class) {
      return typed("integer").put("format", "int64");
    }
    if (type == double.class || type == Double.class) {
      return typed("number");
    }
    if (type == Instant.class) {
      return typed("string").put("format", "date-time");
    }
    if (JsonNode.class.isAssignableFrom(type)) {
      return JsonBody.MAPPER.createObjectNode();
    }
    throw new IllegalArgumentException("No schema for " + type);
  }

  private ObjectNode ofRecord(Class<?> type) {
    String name = type.getSimpleName();
    if (!components.containsKey(name)) {
      ObjectNode schema = typed("object");
      components.put(name, schema); // first, for records that hold their own kind
      ObjectNode properties = schema.putObject("properties");
      ArrayNode required = schema.putArray("required");
      for (RecordComponent component : type.getRecordComponents()) {
        properties.set(component.getName(), of(component.getGenericType()));
        if (component.getType() != Optional.class) {
          required.add(component.getName());
        }
      }
      schema.put("additionalProperties", false);
    }
    return JsonBody.MAPPER.createObjectNode().put("$ref", "#/components/schemas/" + name);
  }

  private static ObjectNode typed(String type) {
    return JsonBody.MAPPER.createObjectNode().put("type", type);
  }

  /** All records that were asked for, and those in them, by their names. */
  Map<String, ObjectNode> components() {
    return components;
  }
}
