/** What files are known by. */
@NullMarked
package dev.fairlead.service.file;

import org.jspecify.annotations.NullMarked;
