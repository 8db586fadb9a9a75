package dev.fairlead.cuda;

import dev.fairlead.nativecode.Downcall;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * What a device reaches of others without the host. Reaching is asked for once for each context of
 * another device, and tried before it is used; those that are gone are forgotten.
 */
final class CudaPeers {
  private final Cu cu;
  private final CudaCalls calls;
  private final CudaDriver driver;
  private final Map<CudaDriver, Boolean> known = new WeakHashMap<>();

  CudaPeers(Cu cu, CudaCalls calls, CudaDriver driver) {
    this.cu = cu;
    this.calls = calls;
    this.driver = driver;
  }

  /** Whether the context that is current here reads the memory of another one; sees to it. */
  synchronized boolean reach(CudaDriver other) {
    Boolean answer = known.get(other);
    if (answer != null) {
      return answer;
    }
    boolean said =
        new CudaDevices(cu).reaches(driver.device(), other.device()) && enable(other.context());
    CudaPeerTrial.Verdict verdict =
        said ? new CudaPeerTrial(driver, other).run() : CudaPeerTrial.Verdict.LOSES;
    return switch (verdict) {
      case SOUND -> remember(other, true);
      case LOSES -> remember(other, false);
      case NOT_MADE -> false; // and tried again with the next copy
    };
  }

  private boolean remember(CudaDriver other, boolean answer) {
    known.put(other, answer);
    return answer;
  }

  private boolean enable(long context) {
    int code = Downcall.number(() -> (int) cu.ctxEnablePeerAccess().invokeExact(context, 0));
    return switch (code) {
      case CudaCodes.PEER_ACCESS_ALREADY_ENABLED -> true; // by another library in the process
      case CudaCodes.PEER_ACCESS_UNSUPPORTED, CudaCodes.TOO_MANY_PEERS -> false;
      default -> {
        calls.check("cuCtxEnablePeerAccess", () -> code);
        yield true;
      }
    };
  }
}
