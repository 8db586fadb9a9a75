/** Files that clients send, piece by piece. */
@NullMarked
package dev.fairlead.service.upload;

import org.jspecify.annotations.NullMarked;
