package dev.fairlead.service.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JsonBodyTest {
  record Inner(Optional<Integer> crf, Optional<Role> role) {}

  record Body(Optional<String> name, Optional<Inner> options, Optional<List<Integer>> numbers) {
    Body {
      if (name.isPresent() && name.get().isEmpty()) {
        throw new IllegalArgumentException("A name has letters");
      }
    }
  }

  private static Body read(String text) {
    return JsonBody.parse(text.getBytes(StandardCharsets.UTF_8), Body.class);
  }

  private static Problem.Details refused(String text) {
    return catchThrowableOfType(Problem.class, () -> read(text)).details();
  }

  @Test
  void whatIsLeftOutIsEmpty() {
    assertThat(read("{}"))
        .isEqualTo(new Body(Optional.empty(), Optional.empty(), Optional.empty()));
    assertThat(read("{\"options\":{\"role\":\"admin\"}}").options())
        .contains(new Inner(Optional.empty(), Optional.of(Role.ADMIN)));
  }

  @Test
  void aFieldThatIsNotKnownIsNamedWithThoseThatAre() {
    Problem.Details details = refused("{\"nam\":\"x\"}");
    assertThat(details.status()).isEqualTo(422);
    assertThat(details.errors())
        .containsExactly(
            new Problem.Flaw(
                "/nam", "There is no field \"nam\"; there are name, numbers, options"));
  }

  @Test
  void theFlawHasItsPlace() {
    assertThat(refused("{\"options\":{\"crf\":\"x\"}}").errors())
        .containsExactly(new Problem.Flaw("/options/crf", "This can be a whole number"));
    assertThat(refused("{\"options\":{\"role\":\"king\"}}").errors())
        .containsExactly(
            new Problem.Flaw("/options/role", "This can be anyone, read, submit, admin"));
    assertThat(refused("{\"numbers\":[1,2,{}]}").errors().getFirst().pointer())
        .isEqualTo("/numbers/2");
    assertThat(refused("{\"name\":\"\"}").errors().getFirst().detail())
        .isEqualTo("A name has letters");
  }

  @Test
  void numbersThatAreTooLargeOrBrokenAreRefused() {
    for (String number : List.of("1e400", "99999999999999999999", "1.5", "1" + "0".repeat(2_000))) {
      assertThat(refused("{\"options\":{\"crf\":%s}}".formatted(number)).status())
          .as(number)
          .isIn(400, 422);
    }
  }

  @Test
  void aWholeNumberThatIsTooLargeIsAFlawWithItsPlace() {
    Problem.Details details = refused("{\"options\":{\"crf\":99999999999}}");
    assertThat(details.status()).isEqualTo(422);
    assertThat(details.errors())
        .containsExactly(
            new Problem.Flaw("/options/crf", "This number is larger than any that can be here"));
  }

  @Test
  void whatIsNoJsonIsABadRequest() {
    for (String text :
        List.of(
            "", "{", "{]", "nul", "{\"name\":\"a\",\"name\":\"b\"}", "{} {}", "[".repeat(5_000))) {
      assertThat(refused(text).status()).as(text).isIn(400, 422);
    }
    assertThat(refused("null").status()).isEqualTo(422);
    assertThat(refused("[]").detail()).isEqualTo("This can be an object");
  }

  @Test
  void noWordOfJavaIsInWhatCallersRead() {
    for (String text :
        List.of("{", "[]", "{\"name\":{}}", "{\"options\":7}", "{\"x\":1}", "\"\"")) {
      assertThat(refused(text).detail()).as(text).doesNotContain("java", "fairlead", "Source", "`");
    }
  }
}
