package dev.fairlead.service.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.fairlead.service.http.Gate;
import dev.fairlead.service.http.Problem;
import dev.fairlead.service.http.Role;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessTest {
  private static final InetAddress HERE = InetAddress.ofLiteral("127.0.0.1");
  private static final InetAddress ELSEWHERE = InetAddress.ofLiteral("192.0.2.1");

  @TempDir Path directory;
  private Tokens tokens;
  private Access access;
  private final AtomicLong nanos = new AtomicLong();

  @BeforeEach
  void open() {
    tokens = Tokens.below(directory);
    access = new Access(tokens, new Sessions(nanos::get), Set.of("Box.example"));
  }

  private Role role(InetAddress from, boolean forwarded, Optional<String> bearer) {
    return access.caller(new Gate.Credentials(from, forwarded, bearer, Optional.empty())).role();
  }

  private String add(String name, Role role) {
    return tokens.add(Token.issue(name, role, Optional.of("team")));
  }

  @Test
  void onThisMachineCallersMayDoAllUntilThereIsAToken() {
    assertThat(role(HERE, false, Optional.empty())).isEqualTo(Role.ADMIN);
    assertThat(role(ELSEWHERE, false, Optional.empty())).isEqualTo(Role.ANYONE);
    assertThat(role(HERE, true, Optional.empty())).isEqualTo(Role.ANYONE);
    add("one", Role.READ);
    assertThat(role(HERE, false, Optional.empty())).isEqualTo(Role.ANYONE);
  }

  @Test
  void aTokenGivesItsRole() {
    String secret = add("reader", Role.READ);
    assertThat(role(ELSEWHERE, false, Optional.of(secret))).isEqualTo(Role.READ);
    assertThatExceptionOfType(Problem.class)
        .isThrownBy(() -> role(HERE, false, Optional.of(secret + "x")))
        .satisfies(problem -> assertThat(problem.details().status()).isEqualTo(401));
  }

  @Test
  void aTokenThatIsRemovedLetsNobodyInAnyMore() {
    String secret = add("gone", Role.ADMIN);
    add("other", Role.ADMIN);
    String cookie = access.openSession(secret).key();
    assertThat(tokens.remove("gone")).isTrue();
    assertThat(tokens.remove("gone")).isFalse();
    assertThatExceptionOfType(Problem.class)
        .isThrownBy(() -> role(ELSEWHERE, false, Optional.of(secret)));
    assertThat(ofCookie(cookie)).isEqualTo(Role.ANYONE);
  }

  private Role ofCookie(String cookie) {
    return access
        .caller(new Gate.Credentials(ELSEWHERE, false, Optional.empty(), Optional.of(cookie)))
        .role();
  }

  @Test
  void aSessionStandsForItsTokenUntilItIsClosedOrOld() {
    String secret = add("page", Role.SUBMIT);
    String cookie = access.openSession(secret).key();
    assertThat(ofCookie(cookie)).isEqualTo(Role.SUBMIT);
    assertThat(ofCookie(cookie + "x")).isEqualTo(Role.ANYONE);
    nanos.addAndGet(Sessions.LENGTH.toNanos());
    assertThat(ofCookie(cookie)).isEqualTo(Role.ANYONE);
    String second = access.openSession(secret).key();
    access.closeSession(second);
    assertThat(ofCookie(second)).isEqualTo(Role.ANYONE);
    assertThatExceptionOfType(Problem.class).isThrownBy(() -> access.openSession("x"));
  }

  @Test
  void secretsAreKeptNowhereAndTheFileIsItsOwnersAlone() throws IOException {
    String secret = add("one", Role.ADMIN);
    Path file = directory.resolve("tokens.json");
    assertThat(Files.readString(file)).doesNotContain(secret).contains("one");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void namesAreGivenOnceAndHaveAForm() {
    add("one", Role.ADMIN);
    assertThatIllegalArgumentException().isThrownBy(() -> add("one", Role.READ));
    for (String name : new String[] {"", "../x", "a b", "x".repeat(65)}) {
      assertThatIllegalArgumentException().isThrownBy(() -> add(name, Role.READ));
    }
  }

  @Test
  void aFileThatCannotBeReadLetsNobodyIn() throws IOException {
    Files.writeString(directory.resolve("tokens.json"), "{\"version\":1,\"tok");
    assertThatIllegalStateException().isThrownBy(() -> role(HERE, false, Optional.empty()));
    Files.writeString(directory.resolve("tokens.json"), "{\"version\":9,\"tokens\":[]}");
    assertThatIllegalStateException()
        .isThrownBy(() -> Tokens.below(directory).all())
        .withMessageContaining("newer");
  }

  @Test
  void knowsItselfByItsNames() {
    for (String host : new String[] {"localhost:80", "127.0.0.1", "[::1]:8080", "box.EXAMPLE:1"}) {
      assertThat(access.knows(host)).as(host).isTrue();
    }
    for (String host :
        new String[] {"", "evil.example", "localhost.evil.example", "::1", "127.0.0.1.x"}) {
      assertThat(access.knows(host)).as(host).isFalse();
    }
  }

  @Test
  void onlyPagesOfThisServerMayChangeSomething() {
    assertThat(access.trusts("http://localhost:8080", "localhost:8080")).isTrue();
    for (String origin :
        new String[] {"http://localhost:3000", "http://evil.example", "null", "", "http://["}) {
      assertThat(access.trusts(origin, "localhost:8080")).as(origin).isFalse();
    }
  }
}
