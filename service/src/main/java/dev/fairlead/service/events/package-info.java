/** Events of all jobs as server-sent events. */
@NullMarked
package dev.fairlead.service.events;

import org.jspecify.annotations.NullMarked;
