package dev.fairlead.service.tenant;

import dev.fairlead.media.records.LastEntry;
import dev.fairlead.media.records.Records;
import dev.fairlead.policy.Tenant;
import dev.fairlead.service.http.JsonBody;
import dev.fairlead.service.http.Problem;
import dev.fairlead.service.http.Status;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;

/** The terms of all tenants, kept in the records of the service. Thread-safe. */
public final class Tenants {
  /** Whose jobs they are that nobody says of whose they are. */
  public static final String USUAL_NAME = "default";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final String LOG = "tenants";
  private static final int MOST = 10_000;

  /** What the record holds. */
  private record Content(int version, Map<String, TenantTerms> tenants) {
    static final int VERSION = 1;
  }

  private final LastEntry record;
  private final Consumer<Tenant> weigh;
  private volatile Map<String, TenantTerms> known;

  /**
   * Takes up what was kept.
   *
   * @param weigh has the weight of a tenant count
   * @throws IllegalStateException if the record is damaged, or of a newer version
   */
  public Tenants(Records records, Consumer<Tenant> weigh) {
    this.record = new LastEntry(records, LOG);
    this.weigh = weigh;
    this.known = record.read().map(Tenants::parse).orElse(Map.of());
    known.keySet().forEach(name -> weigh.accept(tenant(name)));
  }

  private static Map<String, TenantTerms> parse(String text) {
    try {
      Content content = JsonBody.MAPPER.readValue(text, Content.class);
      if (content.version > Content.VERSION) {
        throw new IllegalStateException(
            "The record of tenants was written by a newer Fairlead (form %d); this one reads form %d"
                .formatted(content.version, Content.VERSION));
      }
      return Map.copyOf(content.tenants);
    } catch (JacksonException damaged) {
      throw new IllegalStateException("The record of tenants is damaged", damaged);
    }
  }

  /** Whether a text can name a tenant: up to 64 letters, digits, dots and dashes. */
  public static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  /** All that something was said of, by name. */
  Map<String, TenantTerms> all() {
    return known;
  }

  TenantTerms terms(String name) {
    return known.getOrDefault(name, TenantTerms.USUAL);
  }

  /** A tenant with its weight. */
  public Tenant tenant(String name) {
    return new Tenant(name, terms(name).share());
  }

  /** Changes terms: on the disk and in effect when this returns. */
  synchronized void put(String name, TenantTerms terms) {
    Map<String, TenantTerms> all = new TreeMap<>(known);
    all.put(name, terms);
    if (all.size() > MOST) {
      throw Problem.of(Status.CONFLICT, "There are %,d tenants, which is the most".formatted(MOST));
    }
    record.write(JsonBody.MAPPER.writeValueAsString(new Content(Content.VERSION, all)));
    known = Map.copyOf(all);
    weigh.accept(tenant(name));
  }
}
