package dev.fairlead.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bytedeco.ffmpeg.ffmpeg;
import org.bytedeco.javacpp.Loader;

/** The ffmpeg program of the same build as the libraries that Fairlead uses. */
final class BundledFfmpeg {
  private final String program = program();

  private static String program() {
    try {
      return Loader.load(ffmpeg.class);
    } catch (UnsatisfiedLinkError missing) {
      String reason = reason(missing);
      throw new IllegalStateException(
          reason.contains("libpulse")
              ? "The bundled ffmpeg program needs libpulse.so.0, which is not there or cannot be"
                  + " loaded; install it (on Debian: apt-get install libpulse0)"
              : "The bundled ffmpeg program cannot be loaded: " + reason,
          missing);
    }
  }

  /** What the system's loader said, which is at the bottom. */
  private static String reason(Throwable missing) {
    Throwable deepest = missing;
    while (deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    return String.valueOf(deepest.getMessage());
  }

  ProcessTree.Usage run(List<String> arguments, Path log) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(program, "-nostdin", "-v", "info", "-y"));
    command.addAll(arguments);
    Path libraries = Path.of(program).resolveSibling("");
    return ProcessTree.run(
        command, Map.of("LD_LIBRARY_PATH", libraries.toString(), "SVT_LOG", "1"), log);
  }

  /**
   * Makes a clip with a texture as nature has it, with as much in every octave of detail, that
   * drifts under a little grain: encoders can follow it, but never have nothing to do.
   */
  void makeClip(Path clip, int seconds, int width, int height)
      throws IOException, InterruptedException {
    List<String> octaves = List.of("20x12", "80x46", "320x180", "1280x720");
    StringBuilder chain = new StringBuilder();
    for (int octave = 0; octave < octaves.size(); octave++) {
      chain.append(
          "color=gray:s=%s:r=30,noise=alls=100:all_seed=%d:allf=u,trim=end_frame=1,"
              .formatted(octaves.get(octave), octave + 1));
      chain.append("scale=2560x1440:flags=bicubic,setsar=1,format=yuv420p[o%d];".formatted(octave));
    }
    chain.append("[o0][o1]blend=all_mode=average[a];[o2][o3]blend=all_mode=average[b];");
    chain.append("[a][b]blend=all_mode=average,loop=-1:1,setpts=N/30/TB,");
    chain.append("crop=1920:1080:x='320+300*sin(t/3)':y='180+160*cos(t/4)',");
    chain.append("scale=%d:%d,noise=alls=3:allf=t[v]".formatted(width, height));
    run(
        List.of(
            "-filter_complex",
            chain.toString(),
            "-map",
            "[v]",
            "-t",
            String.valueOf(seconds),
            "-c:v",
            "libopenh264",
            "-b:v",
            String.valueOf(7L * width * height),
            "-g",
            "60",
            clip.toString()),
        clip.resolveSibling("clip.log"));
  }
}
