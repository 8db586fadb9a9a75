package dev.fairlead.service.http;

import java.util.Arrays;

/** The statuses with which requests are refused. */
public enum Status {
  BAD_REQUEST(400, "Bad request"),
  UNAUTHORIZED(401, "Not signed in"),
  FORBIDDEN(403, "Not allowed"),
  NOT_FOUND(404, "Not found"),
  METHOD_NOT_ALLOWED(405, "Method not allowed"),
  TOO_SLOW(408, "Request took too long"),
  CONFLICT(409, "Conflict"),
  LENGTH_REQUIRED(411, "Length required"),
  PRECONDITION_FAILED(412, "Precondition failed"),
  TOO_LARGE(413, "Content too large"),
  WRONG_TYPE(415, "Unsupported media type"),
  RANGE(416, "Range not satisfiable"),
  MISDIRECTED(421, "Misdirected request"),
  UNPROCESSABLE(422, "Content that makes no sense"),
  TOO_MANY(429, "Too many requests"),
  FAULT(500, "An error of Fairlead's own"),
  UNAVAILABLE(503, "Not ready"),
  NO_SPACE(507, "Too little room on the disk");

  private final int code;
  private final String title;

  Status(int code, String title) {
    this.code = code;
    this.title = title;
  }

  public int code() {
    return code;
  }

  public String title() {
    return title;
  }

  /** The status with this code; a client's mistake that has no name here is a bad request. */
  static Status of(int code) {
    return Arrays.stream(values())
        .filter(status -> status.code == code)
        .findFirst()
        .orElse(code >= FAULT.code ? FAULT : BAD_REQUEST);
  }
}
