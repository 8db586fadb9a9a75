package dev.fairlead.service.webhook;

/**
 * Who is told of jobs that end.
 *
 * @param secret by which what is sent is signed
 */
public record WebhookOptions(WebhookHosts hosts, String secret) {
  /** Nobody. */
  public static final WebhookOptions NONE = new WebhookOptions(WebhookHosts.NONE, "");

  public WebhookOptions {
    if (!hosts.places().isEmpty() && secret.isBlank()) {
      throw new IllegalArgumentException(
          "Webhooks are signed, and there is no secret; put one into FAIRLEAD_WEBHOOK_SECRET");
    }
  }

  @Override
  public String toString() {
    return "WebhookOptions[%s]".formatted(hosts); // no secret in a log
  }
}
