/** The other side of the service: what a program asks of it over HTTP. */
@NullMarked
package dev.fairlead.service.client;

import org.jspecify.annotations.NullMarked;
