/**
 * The index of the service in SQLite: a copy of what the job logs say, in a form that can be asked.
 */
@NullMarked
package dev.fairlead.service.index;

import org.jspecify.annotations.NullMarked;
