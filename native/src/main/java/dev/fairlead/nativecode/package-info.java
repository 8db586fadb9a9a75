/** Libraries of the system and their functions, found at run time and called from Java. */
@NullMarked
package dev.fairlead.nativecode;

import org.jspecify.annotations.NullMarked;
