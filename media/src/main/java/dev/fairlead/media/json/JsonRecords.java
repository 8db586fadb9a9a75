package dev.fairlead.media.json;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.fairlead.media.plan.LadderSpec;
import dev.fairlead.policy.FairShares;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a host keeps in its records, as JSON objects. Each says by which version of this form it was
 * written; one that is newer is refused, since what it means is not known.
 */
public final class JsonRecords {
  private static final int VERSION = 2;
  private static final String VERSION_NAME = "version";

  /** What is one of several says which. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "is")
  private interface OneOfSeveral {}

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .addMixIn(JobEntry.class, OneOfSeveral.class)
          .addMixIn(LadderSpec.class, OneOfSeveral.class)
          .addMixIn(LadderSpec.Size.class, OneOfSeveral.class)
          .build();

  /** A record cannot be read; the message says why. */
  public static sealed class Unreadable extends RuntimeException {
    private static final long serialVersionUID = 1;

    Unreadable(String message) {
      super(message);
    }

    Unreadable(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** It was written by a newer version. */
  public static final class Newer extends Unreadable {
    private static final long serialVersionUID = 1;

    Newer(int version) {
      super(
          "a newer Fairlead has written it, in form %d of records; this one reads up to form %d"
              .formatted(version, VERSION));
    }
  }

  private JsonRecords() {}

  public static String text(JobEntry entry) {
    return write(entry);
  }

  public static String text(FairShares shares) {
    return write(shares);
  }

  /**
   * Reads an entry of a job's log.
   *
   * @throws Unreadable if it is none, or was written by a newer version
   */
  public static JobEntry entry(String text) {
    return read(text, JobEntry.class);
  }

  /**
   * Reads what tenants have had.
   *
   * @throws Unreadable if it says nothing of that, or was written by a newer version
   */
  public static FairShares shares(String text) {
    return read(text, FairShares.class);
  }

  private static String write(Object value) {
    return JSON.<ObjectNode>valueToTree(value).put(VERSION_NAME, VERSION).toString();
  }

  private static <T> T read(String text, Class<T> type) {
    try {
      JsonNode node = JSON.readTree(text);
      int version = node.path(VERSION_NAME).asInt(0);
      if (version < 1 || !(node instanceof ObjectNode object)) {
        throw new Unreadable("it is no record of a host: " + start(text));
      }
      if (version > VERSION) {
        throw new Newer(version);
      }
      object.remove(VERSION_NAME);
      if (version == 1) {
        fromFirstForm(object);
      }
      return JSON.treeToValue(object, type);
    } catch (JacksonException garbled) {
      throw new Unreadable(
          "it is garbled: %s, in %s".formatted(garbled.getOriginalMessage(), start(text)), garbled);
    }
  }

  /** The first form has no notes of jobs, and no times of changes. */
  private static void fromFirstForm(ObjectNode object) {
    switch (object.path("is").asString("")) {
      case "Submitted" -> object.putObject("notes");
      case "Changed" -> object.putNull("at");
      default -> {}
    }
  }

  private static String start(String text) {
    int most = 80;
    return "\"%s\"".formatted(text.length() > most ? text.substring(0, most) + "…" : text);
  }
}
