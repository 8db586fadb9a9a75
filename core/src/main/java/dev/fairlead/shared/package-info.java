/**
 * What all devices of a pool share: limits of the host, indexes by burden and of queued jobs, what
 * policies remember. Internal.
 */
@NullMarked
package dev.fairlead.shared;

import org.jspecify.annotations.NullMarked;
