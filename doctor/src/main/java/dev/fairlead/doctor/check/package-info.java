/** What is looked at on a machine and on each of its devices, and what is found. */
@NullMarked
package dev.fairlead.doctor.check;

import org.jspecify.annotations.NullMarked;
