package dev.fairlead.service.job;

import dev.fairlead.media.json.RequestOptions;
import dev.fairlead.policy.Priority;
import java.util.Optional;

/**
 * A job that a client asks for.
 *
 * @param input a path below a root of the server
 * @param upload instead of that, the id of a file that was sent
 * @param output a path below a root; left out, it is the server's to keep
 * @param name how people are shown it; left out, the name of its source
 * @param tenant whose job it is; left out, that of the token
 * @param webhook a URL that is told when it ends
 */
public record Submission(
    Optional<String> input,
    Optional<String> upload,
    Optional<String> output,
    Optional<String> name,
    Optional<String> tenant,
    Optional<Priority> priority,
    Optional<String> webhook,
    Optional<RequestOptions> options) {}
