package dev.fairlead.doctor.profile;

import dev.fairlead.device.Profile;
import dev.fairlead.doctor.check.CopyCheck;
import dev.fairlead.doctor.check.DecodeCheck;
import dev.fairlead.doctor.check.EncodeCheck;
import dev.fairlead.doctor.check.Finding;
import dev.fairlead.doctor.check.FramesCheck;
import dev.fairlead.doctor.check.HostSessionsCheck;
import dev.fairlead.doctor.check.PeerCheck;
import dev.fairlead.doctor.check.SessionsCheck;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** Makes a profile of findings. */
public final class Proofs {
  private Proofs() {}

  /**
   * What findings prove, beside what was proven before under the same driver and codecs and was not
   * tried this time.
   *
   * @param keys the cards that were looked at, by the labels of their devices
   */
  public static Profile of(List<Finding> findings, Map<String, Profile.Key> keys, Profile before) {
    List<Profile.Proven> cards = new ArrayList<>();
    keys.forEach((label, key) -> {
      List<Finding> own = findings.stream().filter(each -> each.device().equals(label)).toList();
      Profile.Proven known = before.of(key).orElse(Profile.Proven.of(key));
      cards.add(
          new Profile.Proven(
              key,
              number(own, SessionsCheck.SLOTS, known.encodeSlots()),
              number(own, SessionsCheck.LIMIT, known.sessions()),
              deviceFrames(own, known.deviceFrames()),
              codecs(own, known.codecs()),
              copies(own).or(known::copies),
              decodes(own, known.decodes())));
    });
    before.cards().stream()
        .filter(each -> cards.stream().noneMatch(now -> sameCard(now, each)))
        .forEach(cards::add);
    return new Profile(
        cards,
        pairs(findings, before.pairs()),
        number(findings, HostSessionsCheck.LIMIT, before.hostSessions()));
  }

  private static boolean sameCard(Profile.Proven one, Profile.Proven other) {
    return one.key().pciAddress().equals(other.key().pciAddress());
  }

  private static OptionalInt number(List<Finding> findings, String fact, OptionalInt before) {
    return findings.stream()
        .filter(each -> each.facts().containsKey(fact))
        .mapToInt(each -> Integer.parseInt(each.facts().getOrDefault(fact, "0")))
        .boxed()
        .findFirst()
        .map(OptionalInt::of)
        .orElse(before);
  }

  private static boolean deviceFrames(List<Finding> own, boolean before) {
    return own.stream()
        .filter(each -> has(each, FramesCheck.DEVICE_FRAMES))
        .map(each -> Boolean.parseBoolean(each.facts().get(FramesCheck.DEVICE_FRAMES)))
        .findFirst()
        .orElse(before);
  }

  private static List<String> decodes(List<Finding> own, List<String> before) {
    return own.stream()
        .filter(each -> has(each, DecodeCheck.DECODES))
        .map(each -> each.facts().getOrDefault(DecodeCheck.DECODES, ""))
        .findFirst()
        .map(codec -> codec.isEmpty() ? List.<String>of() : List.of(codec))
        .orElse(before);
  }

  private static Optional<Profile.Copies> copies(List<Finding> own) {
    return own.stream()
        .filter(each -> has(each, CopyCheck.UP))
        .map(each ->
            new Profile.Copies(
                Double.parseDouble(each.facts().getOrDefault(CopyCheck.UP, "")),
                Double.parseDouble(each.facts().getOrDefault(CopyCheck.DOWN, ""))))
        .findFirst();
  }

  /** A codec is proven if it is at every size, and impossible only if it is at every size. */
  private static List<Profile.Codec> codecs(List<Finding> own, List<Profile.Codec> before) {
    Map<String, List<Finding>> tried =
        own.stream()
            .filter(each -> each.id().startsWith(EncodeCheck.FAMILY))
            .collect(
                Collectors.groupingBy(
                    each ->
                        each.facts().getOrDefault(EncodeCheck.CODEC, "")
                            + "/"
                            + each.facts().getOrDefault(EncodeCheck.DEPTH, ""),
                    LinkedHashMap::new,
                    Collectors.toList()));
    List<Profile.Codec> codecs = new ArrayList<>();
    tried.forEach((name, findings) -> {
      Map<String, String> facts = findings.getFirst().facts();
      boolean proven = findings.stream().allMatch(each -> has(each, EncodeCheck.PROVEN));
      boolean impossible = findings.stream().allMatch(each -> has(each, EncodeCheck.IMPOSSIBLE));
      if (proven || impossible) {
        codecs.add(
            new Profile.Codec(
                facts.getOrDefault(EncodeCheck.CODEC, ""),
                Integer.parseInt(facts.getOrDefault(EncodeCheck.DEPTH, "8")),
                proven,
                facts.getOrDefault(EncodeCheck.IMPOSSIBLE, "")));
      }
    });
    before.stream()
        .filter(each -> !tried.containsKey(each.codec() + "/" + each.depth()))
        .forEach(codecs::add);
    return codecs;
  }

  private static boolean has(Finding finding, String fact) {
    return finding.facts().containsKey(fact);
  }

  private static List<Profile.Pair> pairs(List<Finding> findings, List<Profile.Pair> before) {
    List<Profile.Pair> pairs =
        findings.stream()
            .filter(each -> has(each, PeerCheck.FROM))
            .map(each ->
                new Profile.Pair(
                    each.facts().getOrDefault(PeerCheck.FROM, ""),
                    each.facts().getOrDefault(PeerCheck.TO, ""),
                    each.result() == Finding.Result.PASS
                        && Boolean.parseBoolean(each.facts().get(PeerCheck.STRAIGHT)),
                    Double.parseDouble(each.facts().getOrDefault(PeerCheck.SPEED, "0"))))
            .collect(Collectors.toCollection(ArrayList::new));
    before.stream()
        .filter(each ->
            pairs.stream()
                .noneMatch(now -> now.from().equals(each.from()) && now.to().equals(each.to())))
        .forEach(pairs::add);
    return pairs;
  }
}
