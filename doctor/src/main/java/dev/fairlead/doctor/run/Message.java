package dev.fairlead.doctor.run;

import dev.fairlead.doctor.check.Finding;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a process that looks at devices tells its parent, a JSON object a line. One of the parts is
 * there, or none at its end.
 *
 * @param begun the id of a check that begins
 * @param plan all that there is to look at
 */
record Message(@Nullable String begun, @Nullable Finding finding, @Nullable List<Planned> plan) {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  static Message begun(String id) {
    return new Message(id, null, null);
  }

  static Message found(Finding finding) {
    return new Message(null, finding, null);
  }

  static Message planned(List<Planned> plan) {
    return new Message(null, null, plan);
  }

  static Message end() {
    return new Message(null, null, null);
  }

  String line() {
    return JSON.writeValueAsString(this) + "\n";
  }

  static Message of(String line) {
    return JSON.readValue(line, Message.class);
  }
}
