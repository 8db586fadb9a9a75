/** Runs checks in processes of their own, so that nothing takes the command down. */
@NullMarked
package dev.fairlead.doctor.run;

import org.jspecify.annotations.NullMarked;
