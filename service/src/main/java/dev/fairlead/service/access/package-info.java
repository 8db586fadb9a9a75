/** Who may do what: tokens, sessions of pages, and by which names the server may be called. */
@NullMarked
package dev.fairlead.service.access;

import org.jspecify.annotations.NullMarked;
