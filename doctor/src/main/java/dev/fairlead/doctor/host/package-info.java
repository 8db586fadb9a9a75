/** The machine beneath: its cards, nodes, drivers and libraries, read without loading any. */
@NullMarked
package dev.fairlead.doctor.host;

import org.jspecify.annotations.NullMarked;
