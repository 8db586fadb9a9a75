package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The recipes lead from their first step to a test, through members that are there. */
class RecipesTest {
  private static final Pattern SECTION =
      Pattern.compile("^## (.+?)\\n(.*?)(?=^## |\\z)", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern STEP =
      Pattern.compile("^(\\d+)\\. (.*?)(?=^\\d+\\. |\\z)", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern CLASS = Pattern.compile("[A-Z][a-z]\\w*");

  /** A name as Java has it, perhaps with how it is called. */
  private static final Pattern MEMBER =
      Pattern.compile("(?:[A-Z][a-z]\\w*\\.)?([a-z][a-z0-9]*(?:[A-Z]\\w*)?)(?:\\(.*\\))?");

  /** Modules, directories, commands and files, which are no members. */
  private static final Set<String> OTHERS = Set.of("cli", "docs", "doctor", "fairlead", "simulate");

  private record Recipe(String title, String text) {
    List<MatchResult> steps() {
      return STEP.matcher(text).results().toList();
    }

    List<String> code() {
      return CODE.matcher(text).results().map(found -> found.group(1)).toList();
    }

    List<String> classes() {
      return code().stream()
          .flatMap(span -> Stream.of(span.split("\\.", 2)))
          .filter(RecipesTest::isClass)
          .toList();
    }
  }

  private static boolean isClass(String name) {
    return CLASS.matcher(name).matches();
  }

  private static List<Recipe> recipes() throws IOException {
    return SECTION
        .matcher(TestingDocument.of("docs/recipes.md").text())
        .results()
        .map(found -> new Recipe(found.group(1), found.group(2)))
        .toList();
  }

  @Test
  void thereIsOneForEachUsualAddition() throws IOException {
    assertThat(recipes().stream().map(Recipe::title))
        .contains(
            "A placement policy",
            "A service policy",
            "A backend",
            "A command",
            "An option of rungs",
            "An option of sound");
  }

  @Test
  void itsStepsAreNumberedNameTheirTestsAndEndInTheChangelog() throws IOException {
    TestingSourceTree tree = TestingSourceTree.read();
    for (Recipe recipe : recipes()) {
      List<MatchResult> steps = recipe.steps();
      assertThat(steps.stream().map(step -> Integer.parseInt(step.group(1))))
          .as(recipe.title())
          .containsExactlyElementsOf(IntStream.rangeClosed(1, steps.size()).boxed().toList());
      assertThat(steps.getLast().group(2)).as(recipe.title()).contains("`CHANGELOG.md`");
      List<String> tests =
          steps.stream()
              .filter(step -> step.group(2).startsWith("Tests: "))
              .flatMap(step -> CODE.matcher(step.group(2)).results())
              .map(found -> found.group(1))
              .filter(RecipesTest::isClass)
              .toList();
      assertThat(tests).as("tests of: %s", recipe.title()).isNotEmpty();
      assertThat(tests.stream().flatMap(test -> tree.called(test).stream()))
          .as("tests of: %s", recipe.title())
          .anyMatch(source -> !source.isMain());
    }
  }

  @Test
  void theMembersThatARecipeNamesAreInAClassThatItNames() throws IOException {
    TestingSourceTree tree = TestingSourceTree.read();
    List<String> missing = new ArrayList<>();
    int named = 0;
    for (Recipe recipe : recipes()) {
      List<String> texts =
          recipe.classes().stream()
              .flatMap(name -> tree.called(name).stream())
              .map(TestingSourceTree.Source::text)
              .toList();
      for (String span : recipe.code()) {
        var member = MEMBER.matcher(span);
        if (member.matches() && !OTHERS.contains(member.group(1))) {
          named++;
          Pattern word = Pattern.compile("\\b" + member.group(1) + "\\b");
          if (texts.stream().noneMatch(text -> word.matcher(text).find())) {
            missing.add(recipe.title() + ": " + span);
          }
        }
      }
    }
    assertThat(missing).as("members of no class of their recipe").isEmpty();
    assertThat(named).isGreaterThan(15);
  }
}
