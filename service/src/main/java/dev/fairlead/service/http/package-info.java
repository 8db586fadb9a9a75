/** HTTP: one table of routes, from which routing, checks and the description of the API come. */
@NullMarked
package dev.fairlead.service.http;

import org.jspecify.annotations.NullMarked;
