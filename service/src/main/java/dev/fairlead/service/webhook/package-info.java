/** What others are told when a job ends. */
@NullMarked
package dev.fairlead.service.webhook;

import org.jspecify.annotations.NullMarked;
