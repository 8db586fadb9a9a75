package dev.fairlead.media.av;

import java.util.Map;
import java.util.TreeMap;
import org.bytedeco.ffmpeg.avutil.AVDictionary;
import org.bytedeco.ffmpeg.avutil.AVDictionaryEntry;
import org.bytedeco.ffmpeg.global.avutil;

/** Options for FFmpeg by name; whatever it does not know of is an error, not ignored. */
final class Options implements AutoCloseable {
  private final AVDictionary dictionary = new AVDictionary(null);

  static Options of(Map<String, String> values) {
    Options options = new Options();
    new TreeMap<>(values)
        .forEach((name, value) ->
            AvException.check(
                "setting " + name, avutil.av_dict_set(options.dictionary, name, value, 0)));
    return options;
  }

  AVDictionary dictionary() {
    return dictionary;
  }

  /** After they were used: everything that was left over is a mistake of ours. */
  void requireUsed(String by) {
    AVDictionaryEntry left = avutil.av_dict_iterate(dictionary, null);
    if (left != null) {
      throw new AvException("%s does not know the option %s".formatted(by, left.key().getString()));
    }
  }

  @Override
  public void close() {
    avutil.av_dict_free(dictionary);
  }
}
