/* Sends back every line; with the argument 1, every byte. */
#include <stdlib.h>
#include <unistd.h>

static char held[1 << 20];

static int send_all(size_t size) {
    for (size_t done = 0; done < size;) {
        ssize_t sent = write(1, held + done, size - done);
        if (sent <= 0) return 0;
        done += (size_t)sent;
    }
    return 1;
}

int main(int argc, char **argv) {
    size_t piece = argc > 1 ? (size_t)atoi(argv[1]) : sizeof held;
    size_t size = 0;
    for (;;) {
        ssize_t got = read(0, held + size, piece == 1 ? 1 : sizeof held - size);
        if (got <= 0) return 0;
        size += (size_t)got;
        if (piece == 1 || held[size - 1] == '\n') {
            if (!send_all(size)) return 1;
            size = 0;
        }
    }
}
