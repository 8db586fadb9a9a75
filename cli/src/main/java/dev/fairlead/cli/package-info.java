/** The {@code fairlead} command: wires the modules, prints and exits. */
@NullMarked
package dev.fairlead.cli;

import org.jspecify.annotations.NullMarked;
