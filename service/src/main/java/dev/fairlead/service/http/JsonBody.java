package dev.fairlead.service.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.exc.ValueInstantiationException;
import tools.jackson.databind.json.JsonMapper;

/** Bodies in JSON. They are read strictly: a name that is not known is a mistake, not a wish. */
public final class JsonBody {
  /** How records become JSON and back; enums in small letters, what is absent left out. */
  public static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          .enable(EnumFeature.WRITE_ENUMS_TO_LOWERCASE)
          .changeDefaultPropertyInclusion(
              _ -> JsonInclude.Value.construct(Include.NON_ABSENT, Include.NON_ABSENT))
          .build();

  private static final int MOST_BYTES = 1 << 20;
  private static final int PIECE = 8192;

  /** For how long a client may take to send a body of that size. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private JsonBody() {}

  static <T> T read(Call call, Class<T> type) {
    String contentType = call.headers().value("Content-Type").orElse("");
    if (!contentType.toLowerCase(Locale.ROOT).startsWith("application/json")) {
      throw Problem.of(
          Status.WRONG_TYPE,
          "The body is to be JSON, with Content-Type: application/json; it is "
              + (contentType.isEmpty() ? "without a type" : contentType));
    }
    return parse(bytes(call.body().open()), type);
  }

  static <T> T parse(byte[] bytes, Class<T> type) {
    T value;
    try {
      value = MAPPER.readValue(bytes, type);
    } catch (JacksonException failure) {
      throw problem(failure);
    }
    if (value == null) {
      throw Problem.flaw("", "The body is null; an object is expected");
    }
    return value;
  }

  private static byte[] bytes(InputStream in) {
    byte[] bytes = new byte[PIECE];
    int size = 0;
    long begun = System.nanoTime();
    try {
      for (int read = in.read(bytes, 0, PIECE); read >= 0; ) {
        size += read;
        if (size > MOST_BYTES) {
          throw Problem.of(
              Status.TOO_LARGE, "The body has more than %,d bytes".formatted(MOST_BYTES));
        }
        if (System.nanoTime() - begun > PATIENCE_NANOS) {
          throw Problem.of(Status.TOO_SLOW, "The body did not come within 30 s");
        }
        if (bytes.length - size < PIECE) {
          bytes = Arrays.copyOf(bytes, 2 * bytes.length);
        }
        read = in.read(bytes, size, PIECE);
      }
    } catch (IOException broken) {
      throw Problem.of(Status.TOO_SLOW, "The body did not come whole");
    }
    return Arrays.copyOf(bytes, size);
  }

  private static Problem problem(JacksonException failure) {
    if (failure instanceof InputCoercionException) {
      return Problem.flaw(
          pointer(failure.getPath()), "This number is larger than any that can be here");
    }
    if (!(failure instanceof DatabindException wrong)
        || failure.getCause() instanceof StreamReadException) {
      String what = "The body is not JSON: " + brief(failure.getOriginalMessage());
      return Problem.body(Status.BAD_REQUEST, what, List.of(new Problem.Flaw("", what)));
    }
    return Problem.flaw(pointer(wrong.getPath()), detail(wrong));
  }

  /** Without where in the stream of bytes it was seen, which means nothing to a caller. */
  private static String brief(@Nullable String message) {
    return String.valueOf(message).replaceAll("\\s*\\(start marker at.*", "");
  }

  private static String detail(DatabindException wrong) {
    return switch (wrong) {
      case UnrecognizedPropertyException unknown ->
          "There is no field \"%s\"; there are %s"
              .formatted(
                  unknown.getPropertyName(),
                  unknown.getKnownPropertyIds().stream()
                      .map(String::valueOf)
                      .sorted()
                      .collect(Collectors.joining(", ")));
      case ValueInstantiationException refused when refused.getCause() != null ->
          String.valueOf(refused.getCause().getMessage());
      case MismatchedInputException other when other.getTargetType() != null ->
          "This can be " + kind(other.getTargetType());
      default -> "This cannot be read";
    };
  }

  /** What a field can be, in words. */
  private static String kind(Class<?> type) {
    if (type.isEnum()) {
      return Arrays.stream(type.getEnumConstants())
          .map(constant -> Words.of((Enum<?>) constant))
          .collect(Collectors.joining(", "));
    }
    if (type == String.class) {
      return "a text";
    }
    if (type == Integer.class || type == int.class || type == Long.class || type == long.class) {
      return "a whole number";
    }
    if (type == Double.class || type == double.class) {
      return "a number";
    }
    return type == Boolean.class || type == boolean.class ? "true or false" : "an object";
  }

  private static String pointer(List<JacksonException.Reference> path) {
    StringBuilder pointer = new StringBuilder();
    for (JacksonException.Reference step : path) {
      pointer.append('/');
      if (step.getPropertyName() == null) {
        pointer.append(step.getIndex());
      } else {
        pointer.append(step.getPropertyName().replace("~", "~0").replace("/", "~1"));
      }
    }
    return pointer.toString();
  }
}
