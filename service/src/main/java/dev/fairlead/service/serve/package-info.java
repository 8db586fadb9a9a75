/** The service: all rooms together, from start to stop. */
@NullMarked
package dev.fairlead.service.serve;

import org.jspecify.annotations.NullMarked;
