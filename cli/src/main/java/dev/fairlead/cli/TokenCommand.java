package dev.fairlead.cli;

import dev.fairlead.service.access.Token;
import dev.fairlead.service.access.Tokens;
import dev.fairlead.service.http.Role;
import dev.fairlead.service.http.Words;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes and removes the tokens by which a service lets callers in. */
@Command(
    name = "token",
    description = "Make, list and remove the tokens by which a service lets callers in.",
    mixinStandardHelpOptions = true)
final class TokenCommand implements Runnable {
  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields before it runs a command
  TokenCommand() {}

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what to do: add, list or remove");
  }

  private static Tokens tokens(@Nullable Path data) {
    return Tokens.below(data == null ? StateDirectory.file("service", "") : data);
  }

  @Command(
      name = "add",
      description = "Make a token; its secret is printed once and kept nowhere.",
      mixinStandardHelpOptions = true)
  void add(
      @Parameters(paramLabel = "NAME", description = "Who or what has it.") String name,
      @Option(
              names = "--role",
              paramLabel = "read|submit|admin",
              defaultValue = "submit",
              description = "What it may do (default: ${DEFAULT-VALUE}).")
          Role role,
      @Option(
              names = "--tenant",
              paramLabel = "NAME",
              description = "Whose jobs it submits and changes (default: any).")
          @Nullable String tenant,
      @Option(
              names = "--data",
              paramLabel = "DIR",
              description = "That of the service (default: the same as for serve).")
          @Nullable Path data) {
    try {
      String secret = tokens(data).add(Token.issue(name, role, Optional.ofNullable(tenant)));
      print(secret);
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), String.valueOf(wrong.getMessage()), wrong);
    }
  }

  @Command(name = "list", description = "List all tokens.", mixinStandardHelpOptions = true)
  void list(
      @Option(names = "--data", paramLabel = "DIR", description = "That of the service.")
          @Nullable Path data) {
    Table table = new Table("<<<<", "NAME", "ROLE", "TENANT", "MADE");
    tokens(data)
        .all()
        .forEach(token ->
            table.row(
                token.name(),
                Words.of(token.role()),
                token.tenant().orElse("any"),
                token.created().toString()));
    spec.commandLine().getOut().print(table);
    spec.commandLine().getOut().flush();
  }

  @Command(name = "remove", description = "Remove a token.", mixinStandardHelpOptions = true)
  int remove(
      @Parameters(paramLabel = "NAME", description = "Its name.") String name,
      @Option(names = "--data", paramLabel = "DIR", description = "That of the service.")
          @Nullable Path data) {
    if (tokens(data).remove(name)) {
      return 0;
    }
    spec.commandLine().getErr().println("fairlead: there is no token " + name);
    return 1;
  }

  private void print(String line) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(line);
    out.flush();
  }
}
