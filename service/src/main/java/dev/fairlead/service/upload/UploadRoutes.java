package dev.fairlead.service.upload;

import dev.fairlead.service.http.Answer;
import dev.fairlead.service.http.Call;
import dev.fairlead.service.http.Role;
import dev.fairlead.service.http.Route;
import dev.fairlead.service.http.Status;
import java.util.List;
import java.util.Map;

/** The routes by which files are sent. */
public final class UploadRoutes {
  private static final String PATH = "/v1/uploads/{id}";
  private static final String OFFSET = "Upload-Offset";

  private final Uploads uploads;

  public UploadRoutes(Uploads uploads) {
    this.uploads = uploads;
  }

  public List<Route> all() {
    return List.of(
        Route.get(
            PATH,
            Role.SUBMIT,
            "How far an upload is; Upload-Offset says where it goes on",
            Uploads.Upload.class,
            this::look),
        Route.of(
                Route.Method.PUT,
                PATH,
                Role.SUBMIT,
                "Send a file, whole or in pieces (Content-Range), under an id of your choice",
                Void.class,
                Uploads.Upload.class,
                this::put)
            .refusing(Status.CONFLICT, Status.LENGTH_REQUIRED, Status.TOO_SLOW, Status.NO_SPACE));
  }

  private Answer look(Call call) {
    Uploads.Upload upload = uploads.at(call.parameter("id"));
    return Answer.json(upload).withHeader(OFFSET, String.valueOf(upload.offset()));
  }

  /** 201 when it becomes whole, 200 before and after. */
  private Answer put(Call call) {
    String id = call.parameter("id");
    boolean was = uploads.at(id).sha256().isPresent();
    ContentRange range =
        ContentRange.of(
            call.headers().value("Content-Range"), call.headers().value("Content-Length"));
    Uploads.Upload now = uploads.put(id, range, call.body().open());
    int status = now.sha256().isPresent() && !was ? Answer.CREATED : Answer.OK;
    return new Answer.Json(status, now, Map.of(OFFSET, String.valueOf(now.offset())));
  }
}
