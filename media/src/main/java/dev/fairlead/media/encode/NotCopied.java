package dev.fairlead.media.encode;

/** An audio track that was to be taken over turned out to be one that no file holds as it is. */
public final class NotCopied extends RuntimeException {
  NotCopied(String why) {
    super(why);
  }
}
