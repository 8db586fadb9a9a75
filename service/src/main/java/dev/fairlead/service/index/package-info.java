/**
 * The index of the service in SQLite: a copy of what the job logs say, in a form that can be asked,
 * and what is to be told to others.
 */
@NullMarked
package dev.fairlead.service.index;

import org.jspecify.annotations.NullMarked;
