/** Programs to copy from: each is complete, and run by a test. */
@NullMarked
package dev.fairlead.examples;

import org.jspecify.annotations.NullMarked;
