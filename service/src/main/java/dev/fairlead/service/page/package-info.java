/** The page of the service: files that a browser loads, and the routes to them. */
@NullMarked
package dev.fairlead.service.page;

import org.jspecify.annotations.NullMarked;
