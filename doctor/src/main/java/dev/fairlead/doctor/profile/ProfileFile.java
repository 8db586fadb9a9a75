package dev.fairlead.doctor.profile;

import dev.fairlead.device.Profile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The file in which a profile is kept: JSON, written as a whole or not at all. */
public record ProfileFile(Path path) {
  private static final String FORMAT = "fairlead-profile 2";
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private record Document(String format, Profile profile) {}

  /**
   * What is kept; nothing if there is no file, or none that can be read.
   *
   * @param troubles told of what is wrong with the file: no reason not to work
   */
  public Profile read(Consumer<String> troubles) {
    String text;
    try {
      text = Files.readString(path);
    } catch (NoSuchFileException none) {
      return Profile.NONE;
    } catch (IOException unreadable) {
      troubles.accept("The profile is not used: %s cannot be read".formatted(path));
      return Profile.NONE;
    }
    try {
      Document document = JSON.readValue(text, Document.class);
      if (FORMAT.equals(document.format()) && document.profile() != null) {
        return document.profile();
      }
      troubles.accept(
          "The profile is not used: %s is of another version; 'fairlead doctor' writes it anew"
              .formatted(path));
    } catch (JacksonException | NullPointerException | IllegalArgumentException damaged) {
      troubles.accept(
          "The profile is not used: %s is damaged; 'fairlead doctor' writes it anew"
              .formatted(path));
    }
    return Profile.NONE;
  }

  /** Writes a profile beside the file and moves it there, so that a reader sees all or nothing. */
  public void write(Profile profile) {
    try {
      Path folder = path.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      Path beside = Files.createTempFile(folder, String.valueOf(path.getFileName()), ".tmp");
      try {
        Files.write(beside, JSON.writeValueAsBytes(new Document(FORMAT, profile)));
        Files.move(
            beside, path, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(beside);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("The profile cannot be written to " + path, failure);
    }
  }

  /** A profile as a tree that can be part of another document. */
  public static Object tree(Profile profile) {
    return JSON.valueToTree(profile);
  }
}
