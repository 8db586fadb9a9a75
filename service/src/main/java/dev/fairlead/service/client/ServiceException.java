package dev.fairlead.service.client;

/** Why a service did not do what it was asked for. Its kinds are all the reasons that there are. */
public abstract sealed class ServiceException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private ServiceException(String message, Throwable cause) {
    super(message, cause);
  }

  private ServiceException(String message) {
    super(message);
  }

  /** No answer came. */
  public static final class Unreachable extends ServiceException {
    private static final long serialVersionUID = 1;

    Unreachable(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** The service has refused it. */
  public static final class Refused extends ServiceException {
    private static final long serialVersionUID = 1;

    private final int status;

    Refused(int status, String message) {
      super(message);
      this.status = status;
    }

    /** The status of HTTP. */
    public int status() {
      return status;
    }
  }

  /** What came is not what was sent. */
  public static final class Garbled extends ServiceException {
    private static final long serialVersionUID = 1;

    Garbled(String message) {
      super(message);
    }
  }
}
