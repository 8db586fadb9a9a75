package dev.fairlead.service.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.service.access.Token;
import dev.fairlead.service.access.Tokens;
import dev.fairlead.service.http.Role;
import dev.fairlead.service.page.TestingBundle;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import tools.jackson.databind.JsonNode;

/** The page of a real service, in a real browser. */
class PageTest {
  @TempDir static Path shared;
  private static TestingService service;
  private static TestingPage page;

  @BeforeAll
  static void open() throws Exception {
    service = TestingService.open(shared.resolve("service"));
    page = TestingPage.open(shared.resolve("profile"));
  }

  @AfterAll
  static void close() {
    page.close();
    service.close();
    assertThat(service.mishaps).isEmpty();
  }

  @BeforeEach
  void start() {
    page.width(1280);
    page.theme("light");
    page.go(service.uri("/"));
    page.awaitLive();
  }

  @AfterEach
  void takeDevicesBack() throws Exception {
    resumeDevices();
  }

  private static String submit(String name) throws Exception {
    return service.submit(
        """
        {"input": "%s", "name": "%s",
         "options": {"ladder": "160x90,80x46", "segment": "2", "preset": 11}}
        """
            .formatted(service.clip(4), name));
  }

  /** With no device that takes work, a job stays as it is for as long as a test needs. */
  private static void drainDevices() throws Exception {
    service.post("/v1/devices/cpu:0/drain", "");
    service.post("/v1/devices/cpu:1/drain", "");
  }

  private static void resumeDevices() throws Exception {
    service.post("/v1/devices/cpu:0/resume", "");
    service.post("/v1/devices/cpu:1/resume", "");
  }

  @Test
  void aDroppedFileBecomesAJobThatLanesShowAndThatIsPlayed() throws Exception {
    byte[] clip = Files.readAllBytes(shared.resolve("service/root").resolve(service.clip(4)));
    page.run(
        """
        localStorage.setItem('fairlead.options', '{"ladder":"160x90,80x46","preset":"11"}');
        location.reload();
        """);
    page.awaitLive();
    page.find("input[type=file]");
    page.run(
        """
        const bytes = Uint8Array.from(atob(arguments[0]), (each) => each.charCodeAt(0));
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([bytes], 'dropped.mp4', { type: 'video/mp4' }));
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
        """,
        Base64.getEncoder().encodeToString(clip));
    WebElement job =
        page.until("the job", driver -> driver.findElement(By.linkText("dropped.mp4")));
    page.find("[data-lanes] .bar.committed");
    page.find("[data-job][data-state=done]");
    assertThat(page.count("fairlead-submit .problem")).isZero();

    job.click();
    page.find("video");
    page.until(
        "the video plays",
        _ ->
            Boolean.TRUE.equals(
                page.run(
                    "const video = document.querySelector('video'); video.play();"
                        + " return video.currentTime > 0.2")));
    assertThat(page.find("fairlead-job").getText()).contains("160×90", "80×46", "cpu:");
  }

  @Test
  void aJobIsPausedAndResumedAndCancelledAndDeletedByItsButtons() throws Exception {
    drainDevices();
    String job = submit("buttons.mp4");
    page.press("Pause buttons.mp4");
    page.awaitState(job, "paused");
    page.press("Resume buttons.mp4");
    page.until(
        "it waits or runs again",
        _ -> page.count("[data-job='%s']:not([data-state=paused])".formatted(job)) > 0);
    page.press("Cancel buttons.mp4");
    page.press("Cancel the job");
    page.awaitState(job, "cancelled");
    page.press("Delete buttons.mp4");
    page.press("Delete the job");
    page.until("it is gone", _ -> page.count("[data-job='%s']".formatted(job)) == 0);
  }

  @Test
  void aCancelledJobIsTriedAgainAndTheWhyOfAChunkIsShown() throws Exception {
    drainDevices();
    String job = submit("again.mp4");
    page.press("Cancel again.mp4");
    page.press("Cancel the job");
    page.awaitState(job, "cancelled");
    resumeDevices();
    page.press("Retry again.mp4");
    page.awaitState(job, "done");

    page.find("[data-job='%s'] a".formatted(job)).click();
    page.press("Why there?");
    WebElement why =
        page.until(
            "the answer", driver -> driver.findElement(By.cssSelector("fairlead-why table")));
    assertThat(why.getText()).contains("cpu:0", "cpu:1", "is free and takes it");
    assertThat(page.find("fairlead-why").getText())
        .contains("chunk 0 went to", "It was the turn of default");
  }

  @Test
  void theKeyboardAloneIsEnough() throws Exception {
    drainDevices();
    String job = submit("keys.mp4");
    page.find("[data-job='%s']".formatted(job));
    page.tabTo("Skip to the content");
    page.key(Keys.ENTER);
    page.tabTo("Pause keys.mp4");
    assertThat(page.run("return document.activeElement.matches(':focus-visible')")).isEqualTo(true);
    page.key(Keys.ENTER);
    page.awaitState(job, "paused");
    page.until("the focus stays", _ -> page.focused().equals("Resume keys.mp4"));
    page.tabTo("Cancel keys.mp4");
    page.key(Keys.SPACE);
    page.find("dialog[open]");
    page.key(Keys.ESCAPE);
    page.until("nothing is asked any more", _ -> page.count("dialog") == 0);
    page.tabTo("Priority of keys.mp4");
    page.key("h");
    page.until(
        "its priority is high",
        _ -> {
          try {
            return service.get("/v1/jobs/" + job).get("priority").asString().equals("high");
          } catch (Exception failure) {
            throw new AssertionError(failure);
          }
        });
  }

  @Test
  void devicesAreATableToo() throws Exception {
    page.find("[data-lanes] summary").click();
    page.press("Drain cpu:0");
    page.until(
        "it is drained", _ -> page.find("[data-device='cpu:0']").getText().contains("drained"));
    page.press("Resume cpu:0");
    page.until("it is ready", _ -> page.find("[data-device='cpu:0']").getText().contains("ready"));
  }

  @Test
  void aFailedJobSaysWhy() throws Exception {
    HttpRequest upload =
        service
            .request("/v1/uploads/noise")
            .PUT(HttpRequest.BodyPublishers.ofString("noise"))
            .build();
    service.send(upload);
    String job = service.submit("{\"upload\":\"noise\",\"name\":\"<b>no</b> & video\"}");
    page.awaitState(job, "failed");
    page.find("[data-job='%s'] a".formatted(job)).click();
    page.find(".failure");
    assertThat(page.find("h1").getText()).isEqualTo("<b>no</b> & video");
    assertThat(page.count("h1 b")).isZero();
    assertThat(page.run("return document.activeElement.tagName")).isEqualTo("H1");
  }

  @Test
  void eightTabsShareOneStream() throws Exception {
    String first = page.tabs().getFirst();
    for (int tab = 1; tab < 8; tab++) {
      page.newTab(service.uri("/"));
      page.awaitLive(); // with a stream for each, the seventh tab would have no connection left
    }
    String job = submit("eight.mp4");
    for (String tab : page.tabs()) {
      page.switchTo(tab);
      page.awaitState(job, "done");
    }
    page.keepOnly(first);
  }

  @Test
  void aLostConnectionIsShownAndMended() throws Exception {
    drainDevices();
    String job = submit("restart.mp4");
    page.find("[data-job='%s']".formatted(job));
    service.close();
    page.find("[data-connection=lost]");
    service = service.again(shared.resolve("service"));
    page.awaitLive();
    page.awaitState(job, "done");
  }

  @Test
  void aTokenIsAskedForAndShownOnce() throws Exception {
    Path directory = shared.resolve("guarded");
    try (TestingService guarded = TestingService.open(directory)) {
      String secret =
          Tokens.below(directory.resolve("data"))
              .add(Token.issue("anna", Role.ADMIN, Optional.empty()));
      page.go(guarded.uri("/"));
      page.find("input[type=password]").sendKeys("wrong" + Keys.ENTER);
      page.until("it is refused", _ -> !page.find("[role=alert]").getText().isEmpty());
      page.find("input[type=password]").clear();
      page.find("input[type=password]").sendKeys(secret + Keys.ENTER);
      page.awaitLive();
      page.find("[data-lanes]");
      page.press("Sign out");
      page.find("input[type=password]");
      assertThat(barriers()).isEqualTo("[]");
    }
  }

  @Test
  void nobodyIsShutOutInLightOrDarkOnALargeScreenOrASmallOne() throws Exception {
    String done = submit("barriers.mp4");
    page.awaitState(done, "done");
    drainDevices();
    submit("waits.mp4");
    page.find("[data-lanes] summary").click();
    page.find(".options summary").click();
    for (String theme : new String[] {"light", "dark"}) {
      page.theme(theme);
      assertThat(barriers()).as(theme).isEqualTo("[]");
    }
    page.width(380);
    assertThat(barriers()).as("380 px").isEqualTo("[]");
    assertThat(page.run("return document.documentElement.scrollWidth")).isEqualTo(380L);
    page.go(service.uri("/#/jobs/" + done));
    page.find("video");
    assertThat(barriers()).as("a job").isEqualTo("[]");
    assertThat(page.run("return document.documentElement.scrollWidth")).isEqualTo(380L);
  }

  /** What axe takes for serious, in words. */
  private static String barriers() throws Exception {
    page.run(TestingBundle.axe());
    return String.valueOf(
        page.runAsync(
            """
            const done = arguments[arguments.length - 1];
            axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
              done(violations
                .filter(({ impact }) => impact === 'serious' || impact === 'critical')
                .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' '))));
            """));
  }

  @Test
  void theBrowserIsToldWhatThePageMayDo() throws Exception {
    HttpResponse<String> index = service.send(service.request("/").build());
    assertThat(index.headers().firstValue("Content-Type")).hasValue("text/html; charset=utf-8");
    assertThat(index.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
    assertThat(index.headers().firstValue("Referrer-Policy")).hasValue("no-referrer");
    assertThat(index.headers().firstValue("Content-Security-Policy").orElseThrow())
        .contains(
            "default-src 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'")
        .doesNotContain("unsafe");
    String etag = index.headers().firstValue("ETag").orElseThrow();
    HttpRequest again = service.request("/").header("If-None-Match", etag).build();
    assertThat(service.send(again).statusCode()).isEqualTo(304);
    HttpResponse<String> script = service.send(service.request("/page/page.js").build());
    assertThat(script.headers().firstValue("Content-Type"))
        .hasValue("text/javascript; charset=utf-8");
    JsonNode none = service.get("/page/none.js");
    assertThat(none.get("status").asInt()).isEqualTo(404);
  }
}
