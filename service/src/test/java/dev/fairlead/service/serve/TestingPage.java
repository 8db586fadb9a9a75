package dev.fairlead.service.serve;

import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.NoSuchElementException;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebDriver;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.support.ui.WebDriverWait;

/** The page of a service in a real Chromium. */
final class TestingPage implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration STEP = Duration.ofMillis(100);

  private final ChromeDriver driver;

  private TestingPage(ChromeDriver driver) {
    this.driver = driver;
  }

  /** Opens a browser with nothing in it. */
  static TestingPage open(Path profile) {
    ChromeOptions options = new ChromeOptions();
    options.setBinary(program("chromium"));
    options.addArguments(
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--window-size=1280,1000",
        "--autoplay-policy=no-user-gesture-required",
        "--user-data-dir=" + profile);
    // The path is given, as Selenium would look for a driver on the network.
    System.setProperty(
        ChromeDriverService.CHROME_DRIVER_EXE_PROPERTY, program("chromedriver").toString());
    return new TestingPage(new ChromeDriver(options));
  }

  private static File program(String name) {
    return List.of(System.getenv("PATH").split(":", -1)).stream()
        .map(directory -> Path.of(directory, name))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " is not there; ./verify installs it"))
        .toFile();
  }

  void go(URI uri) {
    driver.get("about:blank"); // an address that differs by its fragment alone loads nothing
    driver.get(uri.toString());
  }

  /** Another tab at an address; it is the one in front then. */
  void newTab(URI uri) {
    driver.switchTo().newWindow(WindowType.TAB);
    driver.get(uri.toString());
  }

  List<String> tabs() {
    return List.copyOf(driver.getWindowHandles());
  }

  void switchTo(String tab) {
    driver.switchTo().window(tab);
  }

  /** Closes all tabs but one, which is in front then. */
  void keepOnly(String tab) {
    for (String each : tabs()) {
      if (!each.equals(tab)) {
        driver.switchTo().window(each).close();
      }
    }
    driver.switchTo().window(tab);
  }

  /** Waits for an element. */
  WebElement find(String css) {
    return until("there is " + css, page -> page.findElement(By.cssSelector(css)));
  }

  int count(String css) {
    return driver.findElements(By.cssSelector(css)).size();
  }

  void awaitLive() {
    find("[data-connection=live]");
  }

  void awaitState(String job, String state) {
    find("[data-job='%s'][data-state=%s]".formatted(job, state));
  }

  /** Clicks at the button with a name, when it is there; parts are drawn anew while one looks. */
  void press(String name) {
    until(
        "a button " + name,
        page -> {
          page.findElement(By.xpath("//button[@aria-label=\"%1$s\" or .=\"%1$s\"]".formatted(name)))
              .click();
          return true;
        });
  }

  <T> T until(String what, Function<WebDriver, T> condition) {
    return new WebDriverWait(driver, PATIENCE, STEP)
        .ignoring(NoSuchElementException.class, StaleElementReferenceException.class)
        .withMessage(() -> what + " in: " + driver.findElement(By.tagName("body")).getText())
        .until(condition);
  }

  @Nullable Object run(String script, Object... arguments) {
    return driver.executeScript(script, arguments);
  }

  @Nullable Object runAsync(String script) {
    driver.manage().timeouts().scriptTimeout(PATIENCE);
    return driver.executeAsyncScript(script);
  }

  /** Presses a key where the focus is. */
  void key(CharSequence key) {
    new Actions(driver).sendKeys(key).perform();
  }

  /** Goes on with the tabulator until the focus is on what has this name. */
  void tabTo(String name) {
    for (int step = 0; step < 60; step++) {
      key(Keys.TAB);
      if (name.equals(focused())) {
        return;
      }
    }
    throw new AssertionError("The tabulator does not lead to " + name);
  }

  /** The name of what has the focus. */
  String focused() {
    return String.valueOf(
        run(
            "const e = document.activeElement;"
                + " return e.getAttribute('aria-label') ?? (e.labels?.[0] ?? e).textContent.trim()"));
  }

  void theme(String theme) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", theme))));
  }

  void width(int pixels) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", pixels, "height", 900, "deviceScaleFactor", 1, "mobile", pixels < 600));
  }

  @Override
  public void close() {
    driver.quit();
  }
}
